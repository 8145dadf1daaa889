import { assert, asyncProperty, constantFrom, oneof, property, string, tuple } from 'fast-check';
import { Receiver } from '../../../test/support/receiver';
import { Config } from '../../platform/config/config';
import type { ConnectorContext } from '../connector-context';
import { PermanentDeliveryError } from '../delivery-error';
import { EgressPolicy } from '../egress/egress-policy';
import { EgressProxy } from '../egress/egress-proxy';
import { HttpClient } from '../egress/http-client';
import { parseTarget } from '../egress/parse-target';
import { compilePathTemplate, pathTemplateProblems } from './path-template';
import { WebhookConnector } from './webhook.connector';

const codes = (url: string): string[] => pathTemplateProblems(url).map(({ path, code }) => `${path} ${code}`);
const pathFor = (url: string, event: object): string | undefined =>
  compilePathTemplate(url)?.(JSON.stringify(event));
const TEMPLATE = 'https://a.test/people/{userId}/events?x=1';

const HOSTILE = [
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '.%2e',
  '%252e%252e',
  '..;',
  '..;a=b',
  ' .. ',
  '/',
  'a/b',
  '../admin',
  '..%2Fadmin',
  '..%252Fadmin',
  '\\',
  'a%5Cb',
  'a\r\nHost: b',
  'a%0d%0ab',
  'a%00',
  '\u0000',
  '\u0085',
  '\ud800',
  'a\udc00b',
  'x'.repeat(1_001),
];
const PIECES = [
  '.',
  '..',
  '%2e',
  '%2f',
  '%25',
  '/',
  '\\',
  '\r\n',
  '?',
  '#',
  '@',
  ':',
  '//',
  ';',
  ' ',
  '\ud800',
  'é',
  '☕',
  '{userId}',
  'a',
];

describe('the path of a webhook', () => {
  it.each(['$$', '$&', "$'", '$`', '$1'])('leave %s as it is in what stands beside them', (text) => {
    const beside = encodeURI(text).replaceAll('%60', '`');
    expect(decodeURI(pathFor(`https://a.test/a${beside}b/{userId}`, { userId: 'ada' }) ?? '')).toBe(
      `/a${text}b/ada`,
    );
  });

  it.each([
    'https://a.test/people',
    'https://a.test/people/%7BuserId%7D',
    'https://a.test/{userId}',
    'https://a.test/people/{userId}/',
    'https://a.test/{context.app.name}/{properties.order id}/{userId}',
    TEMPLATE,
  ])('may be that of %s', (url) => expect(codes(url)).toEqual([]));

  it.each([
    'https://{userId}/',
    'https://{userId}.a.test/',
    'https://a.test:{port}/',
    'https://{userId}@a.test/',
    'https://a.test/?user={userId}',
    'https://a.test/{userId}?user={userId}',
    'https://a.test/#{userId}',
    'https://a.test/{}',
    'https://a.test/{userId',
    'https://a.test/userId}',
    'https://a.test/{{userId}}',
    'https://a.test/u-{userId}',
    'https://a.test/{userId}.json',
    'https://a.test/{userId}{anonymousId}',
    'https://a.test/{a..b}',
    'https://a.test/{__proto__.a}',
    'https://a.test/{a}/../b',
    'https://a.test/./{a}',
    'https://a.test/{a}/%2E%2e',
  ])('cannot be that of %s', (url) => expect(codes(url)).toContain('url invalid_path_template'));

  it.each<[string, object, string]>([
    ['a text', { userId: 'ada' }, '/people/ada/events?x=1'],
    [
      'what has a meaning in URLs',
      { userId: 'a?b#c&d=e@f:g+h%i' },
      '/people/a%3Fb%23c%26d%3De%40f%3Ag%2Bh%25i/events?x=1',
    ],
    ['characters beyond ASCII', { userId: 'dä ☕' }, '/people/d%C3%A4%20%E2%98%95/events?x=1'],
    ['three dots', { userId: '...' }, '/people/.../events?x=1'],
    ['a placeholder', { userId: '{userId}' }, '/people/%7BuserId%7D/events?x=1'],
    ['a number', { userId: 7 }, '/people/7/events?x=1'],
    ['false', { userId: false }, '/people/false/events?x=1'],
  ])('has %s as one segment', (_, event, expected) => expect(pathFor(TEMPLATE, event)).toBe(expected));

  it('has numbers as they were sent', () => {
    const pathOf = compilePathTemplate('https://a.test/{properties.id}/é');
    expect(pathOf?.('{"properties":{"id":9007199254740993}}')).toBe('/9007199254740993/%C3%A9');
    expect(pathOf?.('{"properties":{"id":1.50}}')).toBe('/1.50/%C3%A9');
  });

  it.each(['', '?next=/a?b=1', '?a=1&b=?'])('keeps the query %j as it is', (query) => {
    expect(pathFor(`https://a.test/{userId}${query}`, { userId: 'ada' })).toBe(`/ada${query}`);
  });

  it('is that of the URL where it names no field', () => {
    expect(compilePathTemplate('https://a.test/people?x={y}')).toBeUndefined();
    expect(compilePathTemplate('https://a.test/people')).toBeUndefined();
  });

  it.each([{}, { userId: null }, { userId: '' }, { userId: ['a'] }, { userId: { a: 'b' } }])(
    'cannot be made of %j',
    (event) =>
      expect(() => pathFor(TEMPLATE, event)).toThrow(
        expect.objectContaining({ errorClass: 'path_value_missing' }),
      ),
  );

  it.each(HOSTILE)('cannot be made of %j', (userId) => {
    const make = (): string | undefined => pathFor(TEMPLATE, { userId });
    expect(make).toThrow(expect.objectContaining({ errorClass: 'path_value_refused' }));
    expect(make).toThrow(PermanentDeliveryError);
  });

  const hostile = oneof(
    string({ unit: 'binary' }),
    constantFrom(...HOSTILE),
    tuple(constantFrom(...PIECES), constantFrom(...PIECES), constantFrom(...PIECES), string()).map((all) =>
      all.join(''),
    ),
  );

  /** Undefined where it is refused. */
  function made(userId: string): string | undefined {
    try {
      return pathFor(TEMPLATE, { userId });
    } catch (error) {
      if (error instanceof PermanentDeliveryError) return undefined;
      throw error;
    }
  }

  it('is read by a parser of URLs as it was made, with the value as one segment', () => {
    assert(
      property(hostile, (userId) => {
        const path = made(userId);
        if (path === undefined) return;
        const url = new URL(`https://a.test${path}`);
        expect(url.href).toBe(`https://a.test${path}`);
        expect(parseTarget(url.href)).toMatchObject({ origin: 'https://a.test', path });
        const [, people, segment, events, ...rest] = url.pathname.split('/');
        expect([people, events, rest, url.search]).toEqual(['people', 'events', [], '?x=1']);
        expect(decodeURIComponent(segment!)).toBe(userId);
        expect(decodeURIComponent(url.pathname)).not.toMatch(/\/\.{1,2}\/|\\|[\r\n]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is all of a request that an event has a say in', async () => {
    const config = Config.from({});
    const policy = new EgressPolicy(config);
    const client = new HttpClient(policy, new EgressProxy(config));
    const connector = new WebhookConnector(policy, client);
    const receiver = await Receiver.start();
    try {
      const url = `${receiver.url}/people/{userId}/events?x=1`;
      await assert(
        asyncProperty(hostile, async (userId) => {
          receiver.received.length = 0;
          const path = made(userId);
          const event = { deliveryId: 'delivery-1', eventType: 'track', body: JSON.stringify({ userId }) };
          const context = { destinationId: 'd1', deadline: performance.now() + 5_000 } as ConnectorContext;
          const settings = { url, secret: 'a-signing-secret' };
          const failed = await connector.send(event, settings, context).then(
            () => '',
            (error: PermanentDeliveryError) => error.errorClass,
          );
          const got = receiver.received.map(({ method, path: sent, headers }) => [
            method,
            headers.host,
            sent,
          ]);
          const { host } = new URL(receiver.url);
          expect(got).toEqual(path === undefined ? [] : [['POST', host, path]]);
          expect(failed.startsWith('path_value_')).toBe(path === undefined);
          const shown = path === undefined ? undefined : connector.describeRequest(event, settings).url;
          expect(shown).toBe(path && receiver.url + path);
        }),
        { numRuns: 200 },
      );
    } finally {
      await client.onModuleDestroy();
      await receiver.stop();
    }
  });
});
