import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createService } from '../../src/bootstrap';
import { ConnectorRegistry } from '../../src/connectors/registry';
import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { Sender } from '../../src/delivery/sending/sender';
import { ActiveDestinations } from '../../src/destinations/active-destinations';
import { withSecrets } from '../../src/platform/boot/development-secrets';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { aSource } from '../support/a-source';
import { eventually } from '../support/eventually';
import { storedEvents } from '../support/stored-events';
import { startTestService, type TestService } from '../support/test-service';

const TIMESTAMP = '2026-11-20T14:00:00.000Z';
const LIMITS = {
  CDP_MAX_BATCH_EVENTS: '50',
  CDP_MAX_BATCH_BYTES: '100000',
};
let sequence = 0;

/** A valid track event with a messageId of its own. */
function aTrack(userId: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  sequence += 1;
  return {
    type: 'track',
    event: 'Bought',
    userId,
    messageId: `m-${sequence}`,
    timestamp: TIMESTAMP,
    ...changes,
  };
}

describe('the Events API', () => {
  let service: TestService;
  let writeKey: string;

  beforeAll(async () => {
    service = await startTestService({
      env: { CDP_ROLES: 'management,events', ...LIMITS },
    });
    ({ writeKey } = await aSource(service.databaseUrl));
  });
  afterAll(() => service.close());

  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: basic(writeKey), 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  async function answerTo(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const response = await post(path, body, headers);
    return { status: response.status, ...((await response.json()) as object) };
  }

  const unanswered = new Set<ClientRequest>();

  /** Sends the headers and a part of the body, and waits for an answer. */
  async function beginBody(headers: Record<string, string>, part: string): Promise<IncomingMessage> {
    const request = httpRequest(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '1000', ...headers },
    });
    request.once('socket', (socket) => socket.once('connect', () => unanswered.add(request)));
    request.flushHeaders();
    if (part !== '') request.write(part);
    try {
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      return answer;
    } finally {
      unanswered.delete(request);
      request.destroy();
    }
  }

  const stored = (count: number): object => ({ status: 200, success: true, accepted: count, duplicates: 0 });

  describe('a batch', () => {
    it('is stored once, however often it is sent', async () => {
      const batch = [
        aTrack('once', { properties: { b: 1, a: [null] } }),
        {
          type: 'identify',
          userId: 'once',
          traits: { plan: 'pro' },
          messageId: 'once-2',
          timestamp: TIMESTAMP,
        },
      ];
      const first = await post('/v1/batch', { batch });
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await first.json()).toEqual({ success: true, accepted: 2, duplicates: 0 });
      expect(await answerTo('/v1/batch', { batch })).toEqual({
        status: 200,
        success: true,
        accepted: 0,
        duplicates: 2,
      });
      expect(await storedEvents(service, 'u:once')).toEqual([
        expect.objectContaining({
          type: 'track',
          event: 'Bought',
          properties: { b: 1, a: [null] },
          timestamp: TIMESTAMP,
        }),
        expect.objectContaining({ type: 'identify', traits: { plan: 'pro' }, messageId: 'once-2' }),
      ]);
    });

    it('counts an event once that it has twice', async () => {
      const event = aTrack('twice');
      expect(await answerTo('/v1/batch', { batch: [event, aTrack('twice'), event] })).toMatchObject({
        accepted: 2,
        duplicates: 1,
      });
    });

    it('tells events of different sources with the same messageId apart', async () => {
      const other = await aSource(service.databaseUrl);
      const batch = [aTrack('sources')];
      expect(await answerTo('/v1/batch', { batch })).toEqual(stored(1));
      expect(await answerTo('/v1/batch', { batch }, { authorization: basic(other.writeKey) })).toEqual(
        stored(1),
      );
    });

    it('may be empty', async () => {
      expect(await answerTo('/v1/batch', { batch: [] })).toEqual(stored(0));
    });

    it('shares its sentAt and its context with its events', async () => {
      const sentAt = new Date(Date.parse(TIMESTAMP) + 60_000).toISOString();
      await post('/v1/batch', {
        batch: [aTrack('shared')],
        sentAt,
        context: { ip: '203.0.113.7' },
        integrations: {},
      });
      const [event] = await storedEvents(service, 'u:shared');
      expect(event).toMatchObject({ originalTimestamp: TIMESTAMP, sentAt, context: { ip: '203.0.113.7' } });
      expect(Date.parse(event?.receivedAt ?? '') - Date.parse(event?.timestamp ?? '')).toBe(60_000);
    });

    it('stores the valid events and names everything that is wrong with the others', async () => {
      const batch = [
        aTrack('partly'),
        { type: 'track', userId: 'partly', messageId: 'bad' },
        7,
        aTrack('partly'),
      ];
      const response = await post('/v1/batch', { batch });
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const problem = (await response.json()) as { rejected: unknown[] };
      expect(problem).toMatchObject({
        status: 400,
        code: 'invalid_events',
        message: expect.stringContaining('2 of 4 events are not valid'),
        success: false,
        accepted: 2,
        duplicates: 0,
        errors: [
          { path: 'batch[1].timestamp', code: 'missing_timestamp' },
          { path: 'batch[1].event', code: 'missing_event_name' },
          { path: 'batch[2]', code: 'not_an_object' },
        ],
      });
      expect(problem.rejected).toEqual([
        expect.objectContaining({
          index: 1,
          messageId: 'bad',
          code: 'missing_timestamp',
          path: 'batch[1].timestamp',
        }),
        expect.objectContaining({ index: 2, code: 'not_an_object', path: 'batch[2]' }),
      ]);
      expect(await storedEvents(service, 'u:partly')).toHaveLength(2);
    });

    it('names a hundred problems beside the events that are not valid, which have all of theirs', async () => {
      const batch = Array.from({ length: 50 }, () => ({ type: 'track' }));
      const response = await post('/v1/batch', { batch });
      const { errors, rejected } = (await response.json()) as {
        errors: object[];
        rejected: { index: number; problems: object[] }[];
      };
      const all = rejected.flatMap(({ problems }) => problems);
      expect(rejected.map(({ index }) => index)).toEqual([...batch.keys()]);
      expect(all.length).toBeGreaterThan(100);
      expect(errors).toEqual(all.slice(0, 100));
    });

    it('is refused as a whole when it asks for that', async () => {
      const batch = [aTrack('strict'), { type: 'track' }];
      expect(await answerTo('/v1/batch?strict=true', { batch })).toMatchObject({ status: 400, accepted: 0 });
      expect(await storedEvents(service, 'u:strict')).toEqual([]);
      expect(await answerTo('/v1/batch?strict=true', { batch: [batch[0]] })).toEqual(stored(1));
    });

    it.each(['strict=yes', 'strict=', 'strict=1', 'strict=true&strict=false', 'defaults=TRUE'])(
      'is refused with ?%s, which says neither true nor false',
      async (query) => {
        expect(await answerTo(`/v1/batch?${query}`, { batch: [aTrack('flags')] })).toMatchObject({
          status: 400,
          errors: [{ path: query.split('=')[0], code: 'is_in' }],
        });
        expect(await storedEvents(service, 'u:flags')).toEqual([]);
      },
    );

    it('gives ids and times to events that have none when it asks for that, and only then', async () => {
      const { messageId: _messageId, timestamp: _timestamp, ...bare } = aTrack('defaults');
      const batch = [bare, { ...bare, messageId: 'given', timestamp: TIMESTAMP }];
      expect(await answerTo('/v1/batch?defaults=false', { batch: [bare] })).toMatchObject({
        status: 400,
        rejected: [{ problems: [{ code: 'missing_message_id' }, { code: 'missing_timestamp' }] }],
      });
      expect(await answerTo('/v1/batch?defaults=true', { batch })).toEqual(stored(2));
      expect(await answerTo('/v1/batch?defaults=true', { batch })).toMatchObject({
        accepted: 1,
        duplicates: 1,
      });
      const found = await storedEvents(service, 'u:defaults');
      expect(new Set(found.map(({ messageId }) => messageId)).size).toBe(3);
      for (const { messageId, timestamp, receivedAt } of found) {
        expect(timestamp).toBe(messageId === 'given' ? TIMESTAMP : receivedAt);
      }
      const wrong = { ...bare, timestamp: 'yesterday' };
      expect(await answerTo('/v1/batch?defaults=true', { batch: [wrong] })).toMatchObject({ status: 400 });
    });

    it('may begin with a byte order mark', async () => {
      const body = `\uFEFF${JSON.stringify({ batch: [aTrack('marked')] })}`;
      expect(await answerTo('/v1/batch', body)).toEqual(stored(1));
      expect(await answerTo('/v1/batch', gzipSync(body), { 'content-encoding': 'gzip' })).toMatchObject({
        duplicates: 1,
      });
    });

    it.each([
      ['not JSON', '{"batch":[', 'invalid_json'],
      ['empty', '', 'invalid_json'],
      ['an array', '[]', 'invalid_body'],
      ['null', 'null', 'invalid_body'],
      ['without batch', '{}', 'invalid_body'],
      ['with a batch that is no array', '{"batch":{}}', 'invalid_body'],
    ])('is answered 400 when it is %s', async (_name, body, code) => {
      expect(await answerTo('/v1/batch', body)).toMatchObject({
        status: 400,
        code,
        message: expect.any(String),
      });
    });

    it.each([
      ['', 'The body is empty: send JSON.'],
      [
        '{"batch":[],}',
        'The body is not valid JSON. Expected double-quoted property name at line 1, column 13.',
      ],
    ])('is told what is wrong with %j', async (body, message) => {
      expect(await answerTo('/v1/batch', body)).toMatchObject({ status: 400, code: 'invalid_json', message });
    });

    it('has limits, each with its own error', async () => {
      const events = (count: number, padding = ''): unknown => ({
        batch: Array.from({ length: count }, () => aTrack('limits', { padding })),
      });
      expect(await answerTo('/v1/batch', events(50))).toEqual(stored(50));
      expect(await answerTo('/v1/batch', events(51))).toMatchObject({ status: 413, code: 'too_many_events' });
      expect(await answerTo('/v1/batch', events(4, 'x'.repeat(30_000)))).toMatchObject({
        status: 413,
        code: 'body_too_large',
      });
      expect(await answerTo('/v1/batch', events(1, 'x'.repeat(33_000)))).toMatchObject({
        status: 400,
        rejected: [{ code: 'event_too_large' }],
      });
      const deep = JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`) as unknown;
      for (const [changes, code] of [
        [{ properties: { deep } }, 'event_too_deep'],
        [{ messageId: 'x'.repeat(256) }, 'invalid_message_id'],
        [{ anonymousId: 'x'.repeat(513) }, 'invalid_id'],
        [{ event: 'é'.repeat(513) }, 'invalid_event_name'],
      ] as const) {
        const answer = await answerTo('/v1/batch', { batch: [aTrack('limits', changes)] });
        expect(answer).toMatchObject({ status: 400, rejected: [{ code }] });
      }
    });

    it('has limits that Swagger shows', async () => {
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
      const { description, requestBody } = document.paths['/v1/batch']?.post ?? {};
      for (const [variable, value] of Object.entries(LIMITS)) {
        expect(description).toMatch(new RegExp(`\\| .*\\b${value} .*\\| ${variable} \\|`));
      }
      expect(requestBody).toMatchObject({
        content: { 'application/json': { schema: { properties: { batch: { maxItems: 50 } } } } },
      });
      expect(document.components?.schemas?.TrackEventDto).toMatchObject({
        properties: {
          messageId: { maxLength: 255 },
          userId: { maxLength: 512 },
          anonymousId: { maxLength: 512 },
          event: { maxLength: 1024 },
        },
      });
    });

    it('survives what PostgreSQL cannot store', async () => {
      const nasty = `{"batch":[{"type":"identify","userId":"na\\u0000sty","messageId":"\\ud800","timestamp":"${TIMESTAMP}",
        "traits":{"__proto__":{"admin":true},"n":1e999,"t":"\\u0000","deep":{"constructor":{"prototype":1}}}},
        ${JSON.stringify(aTrack('nasty', { url: 'http://evil.example', header: 'x: y', integrations: { All: false } }))}]}`;
      expect(await answerTo('/v1/batch', nasty)).toEqual(stored(2));
      const [identify] = await storedEvents(service, 'u:na\uFFFDsty');
      expect(identify).toMatchObject({ traits: { n: null, t: '\uFFFD' } });
      expect(Object.keys((identify as { traits?: object }).traits ?? {})).not.toContain('__proto__');
      expect(await storedEvents(service, 'u:nasty')).toMatchObject([
        { url: 'http://evil.example', header: 'x: y' },
      ]);
    });
  });

  it('keeps events apart whose messageIds differ only in what cannot be stored', async () => {
    const ids = ['\\u0000', '\\ud800', '\\udfff', '\\ufffd', '\xff', '\xfe'];
    const events = ids.map((id) =>
      JSON.stringify(aTrack('apart', { messageId: 'apart-?' })).replace('?', id),
    );
    const body = Buffer.from(`{"batch":[${events.join(',')}]}`, 'latin1');
    expect(await answerTo('/v1/batch', body)).toEqual(stored(ids.length));
    expect(await answerTo('/v1/batch', body)).toMatchObject({ accepted: 0, duplicates: ids.length });
    const found = await storedEvents(service, 'u:apart');
    expect(found.map(({ messageId }) => messageId)).toEqual(ids.map(() => 'apart-\uFFFD'));
  });

  it('stores null for numbers that are not finite, wherever they are', async () => {
    const identify = `{"userId":"infinite","messageId":"infinite","traits":{"a":1e400,"b":[-1e400]},"context":{"c":1E+999}}`;
    expect(await answerTo('/v1/identify', identify)).toEqual(stored(1));
    expect(await storedEvents(service, 'u:infinite')).toMatchObject([
      { traits: { a: null, b: [null] }, context: { c: null } },
    ]);
    // As Python writes them.
    const [odd, beside] = [aTrack('infinite', { properties: { n: 'n', m: 'm' } }), aTrack('infinite')];
    const batch = JSON.stringify({ batch: [odd, beside] }).replace(
      '"n":"n","m":"m"',
      '"n":NaN,"m":-Infinity',
    );
    expect(await answerTo('/v1/batch', batch)).toEqual(stored(2));
    expect(await storedEvents(service, 'u:infinite')).toContainEqual(
      expect.objectContaining({ messageId: odd.messageId, properties: { n: null, m: null } }),
    );
    for (const [member, code] of [
      ['userId', 'invalid_id'],
      ['messageId', 'invalid_message_id'],
      ['timestamp', 'invalid_timestamp'],
    ] as const) {
      const event = `{"userId":"u","event":"e","anonymousId":"a","${member}":1e400}`;
      expect(await answerTo('/v1/track', event)).toMatchObject({ errors: [{ path: member, code }] });
    }
  });

  describe('the context of a batch', () => {
    const withContext = (context: string, events: number): string => {
      const batch = Array.from({ length: events }, () => aTrack('context'));
      return `{"batch":${JSON.stringify(batch)},"context":${context}}`;
    };

    it('is cleaned like that of an event', async () => {
      expect(
        await answerTo('/v1/batch', withContext('{"a":"\\ud800\\u0000","__proto__":{"b":1}}', 1)),
      ).toEqual(stored(1));
      expect((await storedEvents(service, 'u:context')).at(-1)?.context).toEqual({ a: '\uFFFD\uFFFD' });
    });

    it('counts for the size of each event, and is bounded for them all', async () => {
      const large = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes) });
      expect(await answerTo('/v1/batch', withContext(large(20_000), 30))).toEqual(stored(30));
      expect(await answerTo('/v1/batch', withContext(large(20_000), 50))).toMatchObject({
        status: 413,
        code: 'context_too_large',
      });
      expect(await answerTo('/v1/batch', withContext(large(33_000), 1))).toMatchObject({
        status: 400,
        rejected: [{ code: 'event_too_large' }],
      });
    });

    it('has a bottom', async () => {
      const bottomless = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
      expect(await answerTo('/v1/batch', withContext(bottomless, 1))).toMatchObject({
        status: 400,
        errors: [{ path: 'context', code: 'context_too_deep' }],
      });
    });
  });

  it.each([
    // As somebody might make it to search for notes, not knowing that long values do not fit into an index.
    [
      'too long for an index',
      `create index event_note_ix on event ((payload #>> '{properties,note}'))`,
      'drop index event_note_ix',
      { userId: 'beside-1', properties: { note: randomBytes(6_000).toString('hex') } },
    ],
    [
      'against a constraint',
      `alter table event add constraint event_polite check (name <> 'Rude')`,
      'alter table event drop constraint event_polite',
      { userId: 'beside-2', event: 'Rude' },
    ],
  ])('stores the events beside one that is %s', async (_name, change, changeBack, poison) => {
    const database = service.app.get(Database);
    const { userId } = poison;
    await database.query(change);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        answerTo('/v1/batch', {
          batch: [aTrack(userId), aTrack(userId, index === 7 ? poison : {})],
        }),
      ),
    );
    await database.query(changeBack);
    expect(answers.filter((answer) => answer !== answers[7])).toEqual(Array(19).fill(stored(2)));
    expect(answers[7]).toMatchObject({
      status: 400,
      accepted: 1,
      rejected: [{ index: 1, code: 'event_not_storable' }],
    });
    expect(await storedEvents(service, `u:${userId}`)).toHaveLength(39);
  });

  describe('paths', () => {
    it.each(['/v1/import', '/v1/import/', '/v1/b', '/v1/b/', '/v1/batch/'])(
      'takes a batch at %s',
      async (path) => {
        expect(await answerTo(path, { batch: [aTrack('paths')] })).toEqual(stored(1));
      },
    );

    it.each([
      ['track', { event: 'e' }],
      ['identify', { traits: { a: 1 } }],
      ['page', { name: 'n' }],
      ['screen', {}],
      ['group', { groupId: 'g' }],
      ['alias', { previousId: 'p' }],
    ])('takes one %s, long and short', async (type, members) => {
      const userId = `single-${type}`;
      expect(await answerTo(`/v1/${type}`, { userId, ...members })).toEqual(stored(1));
      expect(await answerTo(`/v1/${type[0]}/`, { userId, ...members, type: 'other' })).toEqual(stored(1));
      const events = await storedEvents(service, `u:${userId}`);
      expect(events).toMatchObject([{ type, ...members }, { type }]);
      expect(events[0]?.timestamp).toBe(events[0]?.receivedAt);
      expect(events[0]?.messageId).toMatch(/.{20}/);
    });

    it('names the members of a single event without an index', async () => {
      expect(await answerTo('/v1/track', { userId: 'u' })).toMatchObject({
        status: 400,
        errors: [{ path: 'event', code: 'missing_event_name' }],
      });
    });

    it('ignores what SDKs report on themselves', async () => {
      const response = await fetch(`${service.url}/v1/m`, { method: 'POST', body: 'whatever' });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ success: true });
    });

    it('tells SDKs where to send events', async () => {
      const response = await fetch(`${service.url}/v1/projects/${writeKey}/settings`);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { host } = new URL(service.url);
      expect(await response.json()).toMatchObject({
        integrations: { 'Segment.io': { apiKey: writeKey, apiHost: `${host}/v1`, protocol: 'http' } },
      });
      const unknown = await fetch(`${service.url}/v1/projects/some-key/settings`);
      expect([unknown.status, await unknown.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'unknown_write_key' }),
      ]);
    });

    it('leaves them at https where the service is not on their own machine', async () => {
      const response = await service.app.inject({
        url: `/v1/projects/${writeKey}/settings`,
        headers: { host: 'cdp.example.com' },
      });
      expect(response.json()).toMatchObject({
        integrations: { 'Segment.io': { apiKey: writeKey, apiHost: 'cdp.example.com/v1' } },
      });
      expect(response.body).not.toContain('protocol');
    });
  });

  describe('authentication', () => {
    it.each([
      ['no key', {}, {}],
      ['an unknown key', { authorization: basic('0'.repeat(64)) }, {}],
      ['an empty key', { authorization: basic('') }, {}],
      ['an unknown key in the body', {}, { writeKey: 'nobody' }],
      ['another scheme', { authorization: 'Bearer abc' }, {}],
    ])('answers 401 to %s', async (_name, headers, members) => {
      const response = await fetch(`${service.url}/v1/batch`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ batch: [aTrack('nobody')], ...members }),
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect(await response.json()).toMatchObject({ code: 'invalid_write_key', message: expect.any(String) });
    });

    it.each([
      ['an unknown key', { authorization: basic('0'.repeat(64)) }, 401],
      ['a known key and brotli', { 'content-encoding': 'br' }, 415],
      ['a known key and too much', { 'content-length': '9999999' }, 413],
    ])('reads nothing of a request with %s', async (_name, headers, status) => {
      const answer = await beginBody({ authorization: basic(writeKey), ...headers }, '');
      expect(answer.statusCode).toBe(status);
    });

    it('does not parse a body without a key that is one', async () => {
      const send = async (body: string): Promise<number> =>
        (await fetch(`${service.url}/v1/batch`, { method: 'POST', body })).status;
      expect(await send('{"batch":[')).toBe(401);
      expect(await send('{"batch":[],"writeKey":"nobody"')).toBe(401);
      expect(await send(`{"batch":[],"writeKey":"${writeKey}"`)).toBe(400);
    });

    it('takes events while strangers hold connections with bodies that do not come', async () => {
      const properties = { text: 'x'.repeat(30_000) };
      const open = Array.from({ length: 100 }, () =>
        beginBody({ 'content-length': '90000' }, '{"batch":[').catch(() => undefined),
      );
      await eventually(() => expect(unanswered.size).toBeGreaterThanOrEqual(100));
      expect(await answerTo('/v1/batch', { batch: [aTrack('meanwhile', { properties })] })).toEqual(
        stored(1),
      );
      unanswered.forEach((request) => request.destroy());
      await Promise.all(open);
    });

    it('takes the key from the body, or from the query of a beacon', async () => {
      const send = async (path: string, members: object): Promise<number> => {
        const body = JSON.stringify({ batch: [aTrack('keys')], ...members });
        return (await fetch(`${service.url}${path}`, { method: 'POST', body })).status;
      };
      expect(await send('/v1/batch', { writeKey })).toBe(200);
      expect(await send(`/beacon/v1/batch?writeKey=${writeKey}`, {})).toBe(200);
      expect(await send(`/beacon/v1/batch?writeKey=${writeKey}&writeKey=x`, {})).toBe(401);
      expect(await send(`/v1/batch?writeKey=${writeKey}`, {})).toBe(401);
    });

    it('never lets the body override the header', async () => {
      const headers = { authorization: basic('f'.repeat(64)) };
      expect((await post('/v1/batch', { batch: [aTrack('override')], writeKey }, headers)).status).toBe(401);
    });

    it('does not store the key of the body', async () => {
      await post('/v1/track', { userId: 'no-key', event: 'e', writeKey });
      expect(JSON.stringify(await storedEvents(service, 'u:no-key'))).not.toContain(writeKey);
    });
  });

  describe('content', () => {
    it.each([
      'application/json; charset=utf-8',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'nonsense',
    ])('is JSON although labelled %s', async (contentType) => {
      const answer = await answerTo(
        '/v1/batch',
        { batch: [aTrack('labels')] },
        { 'content-type': contentType },
      );
      expect(answer).toEqual(stored(1));
    });

    it.each(['multipart/form-data; boundary=x', 'application/xml', 'application/octet-stream'])(
      'is refused as %s',
      async (contentType) => {
        const answer = await answerTo('/v1/batch', 'x', { 'content-type': contentType });
        expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
      },
    );

    it('may be compressed, within bounds', async () => {
      const gzip = { 'content-encoding': 'gzip' };
      const body = gzipSync(JSON.stringify({ batch: [aTrack('gzip')] }));
      expect(await answerTo('/v1/batch', body, gzip)).toEqual(stored(1));
      const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
      expect(await answerTo('/v1/batch', bomb, gzip)).toMatchObject({ status: 413, code: 'body_too_large' });
      expect(await answerTo('/v1/batch', '{"batch":[]}', gzip)).toMatchObject({
        status: 400,
        code: 'invalid_encoding',
      });
      const unknown = await answerTo('/v1/batch', 'x', { 'content-encoding': 'zstd' });
      expect(unknown).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    });

    it('may come in pieces without a length', async () => {
      const { hostname, port } = new URL(service.url);
      const json = JSON.stringify({ batch: [aTrack('chunked')], writeKey });
      const chunks = [json.slice(0, 20), json.slice(20)].map(
        (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
      );
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST /v1/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks[0]}`);
          setImmediate(() => socket.write(`${chunks[1]}0\r\n\r\n`));
        });
        socket.on('data', (data) => {
          socket.destroy();
          resolve(data.toString());
        });
        socket.on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    });

    it('that breaks off leaves nothing behind', async () => {
      const { hostname, port } = new URL(service.url);
      const json = JSON.stringify({ batch: [aTrack('broken-off')], writeKey });
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: ${json.length + 1}\r\n\r\n${json}`);
          setImmediate(() => socket.destroy());
        });
        socket.on('close', () => resolve());
        socket.on('error', reject);
      });
      expect(await answerTo('/v1/batch', { batch: [aTrack('after')] })).toEqual(stored(1));
      expect(await storedEvents(service, 'u:broken-off')).toEqual([]);
    });
  });

  it('stores once what a client sends that does not wait for the answer', async () => {
    const { hostname, port } = new URL(service.url);
    const event = aTrack('impatient');
    const json = JSON.stringify({ batch: [event], writeKey });
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const head = `POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: ${json.length}\r\n\r\n`;
        socket.end(head + json, () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    expect(await answerTo('/v1/batch', { batch: [event] })).toMatchObject({ status: 200, success: true });
    expect(await storedEvents(service, 'u:impatient')).toHaveLength(1);
  });

  it('takes events in production without an encryption key, and knows no destination', async () => {
    const config = withSecrets(
      Config.from({
        NODE_ENV: 'production',
        CDP_ROLES: 'events',
        CDP_LOG_LEVEL: 'silent',
        CDP_DATABASE_URL: service.databaseUrl,
      }),
    );
    const alone = await createService(config);
    try {
      await alone.app.listen(0, '127.0.0.1');
      const answer = await fetch(`${await alone.app.getUrl()}/v1/batch`, {
        method: 'POST',
        headers: { authorization: basic(writeKey), 'content-type': 'application/json' },
        body: JSON.stringify({ batch: [aTrack('in-production'), aTrack('in-production')] }),
      });
      expect(answer.status).toBe(200);
      expect(await storedEvents(service, 'u:in-production')).toHaveLength(2);
      const elsewhere = await fetch(`${await alone.app.getUrl()}/sources`);
      expect(await elsewhere.json()).toMatchObject({
        status: 404,
        message: 'Cannot GET /sources. Of CDP_ROLES this process has only: events',
      });
      // Nothing is there that would poll the tables of destinations, or open their secrets.
      for (const stranger of [
        ActiveDestinations,
        ConnectorRegistry,
        DestinationHealth,
        SecretBox,
        Sender,
      ] as const) {
        expect(() => alone.app.get<unknown>(stranger, { strict: false })).toThrow(stranger.name);
      }
    } finally {
      await alone.close();
    }
  });

  describe('a body that comes drop by drop', () => {
    let impatient: TestService;
    beforeAll(async () => {
      impatient = await startTestService({
        env: { CDP_ROLES: 'events', CDP_REQUEST_TIMEOUT_SECONDS: '1' },
        databaseUrl: service.databaseUrl,
      });
    });
    afterAll(() => impatient.close());

    it('was received when its headers were', async () => {
      const slow = httpRequest(`${service.url}/v1/batch`, {
        method: 'POST',
        headers: {
          authorization: basic(writeKey),
          expect: '100-continue',
          'content-type': 'application/json',
        },
      });
      slow.flushHeaders();
      await once(slow, 'continue');
      expect(await answerTo('/v1/batch', { batch: [aTrack('slow-2')] })).toEqual(stored(1));
      slow.end(JSON.stringify({ batch: [aTrack('slow-1')] }));
      const [answer] = (await once(slow, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
      const [[first], [second]] = [
        await storedEvents(service, 'u:slow-1'),
        await storedEvents(service, 'u:slow-2'),
      ];
      expect(Date.parse(first!.receivedAt)).toBeLessThanOrEqual(Date.parse(second!.receivedAt));
    });

    it('is cut with 408, and nothing of it is stored', async () => {
      const { hostname, port } = new URL(impatient.url);
      const json = JSON.stringify({ batch: [aTrack('slow')], writeKey });
      const answer = await new Promise<string>((resolve) => {
        let text = '';
        let sent = 0;
        const socket = connect(Number(port), hostname);
        // Waits in the socket until it is connected, and what drips behind it.
        socket.write(`POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: ${json.length + 1000}\r\n\r\n`);
        const dripping = setInterval(() => socket.write(json[sent++] ?? ' '), 20);
        socket.on('data', (data) => (text += data.toString()));
        socket.on('error', () => undefined); // What follows is the close.
        socket.on('close', () => {
          clearInterval(dripping);
          resolve(text);
        });
      });
      expect(answer).toMatch(/^HTTP\/1.1 408 [^]*request_timeout/);
      expect(await storedEvents(service, 'u:slow')).toEqual([]);
    });
  });

  describe('for browsers', () => {
    const origin = 'https://shop.example';

    it.each(['/v1/batch', '/v1/t', '/beacon/v1/batch', '/v1/m', '/v1/projects/k/settings'])(
      'answers a preflight of %s',
      async (path) => {
        const response = await fetch(`${service.url}${path}`, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'anonymousid,authorization,content-type,rsa-1',
          },
        });
        expect(response.status).toBe(204);
        expect(response.headers.get('access-control-allow-origin')).toBe(origin);
        expect(response.headers.get('access-control-allow-headers')).toContain('rsa-1');
        expect(response.headers.get('access-control-allow-methods')).toContain('POST');
      },
    );

    describe('the address of the visitor', () => {
      let behindProxy: TestService;
      let switchedOff: TestService;
      beforeAll(async () => {
        const start = (env: Record<string, string>): Promise<TestService> =>
          startTestService({ env: { CDP_ROLES: 'events', ...env }, databaseUrl: service.databaseUrl });
        behindProxy = await start({ CDP_TRUST_PROXY: '1' });
        switchedOff = await start({ CDP_FILL_CONTEXT_IP: 'false' });
      });
      afterAll(async () => {
        await switchedOff.close();
        await behindProxy.close();
      });

      const visitor = { origin, 'x-forwarded-for': '2001:db8::7' };
      const page = { library: { name: 'analytics.js' } };
      it.each([
        ['is filled in from the connection', '', visitor, page, { ...page, ip: '127.0.0.1' }],
        ['is filled in where there is no context', '', visitor, undefined, { ip: '127.0.0.1' }],
        ['is what a trusted proxy says', 'behind', visitor, page, { ...page, ip: '2001:db8::7' }],
        ['stays what the event says', '', visitor, { ip: '0.0.0.0' }, { ip: '0.0.0.0' }],
        ['stays out where the event says so', '', visitor, { ip: null }, { ip: null }],
        ['is not that of a server', '', { 'x-forwarded-for': '2001:db8::7' }, page, page],
        ['is left out where that is switched off', 'off', visitor, page, page],
      ])('%s', async (_, place, headers, context, expected) => {
        const target = place === 'behind' ? behindProxy : place === 'off' ? switchedOff : service;
        const event = aTrack(`visitor-${(sequence += 1)}`, { context });
        for (const [path, body] of [
          ['/v1/batch', { batch: [event] }],
          ['/v1/t', { ...event, messageId: `single-${sequence}` }],
        ] as const) {
          const answer = await fetch(`${target.url}${path}`, {
            method: 'POST',
            headers: { authorization: basic(writeKey), ...headers },
            body: JSON.stringify(body),
          });
          expect(answer.status).toBe(200);
        }
        const stored = await storedEvents(service, `u:${String(event.userId)}`);
        expect(stored.map((one) => one.context)).toEqual([expected, expected]);
      });
    });

    it('lets pages read every answer, errors too', async () => {
      const headers = { origin };
      for (const [body, status] of [
        [{ batch: [] }, 200],
        [{ batch: [{}] }, 400],
        ['x'.repeat(200_000), 413],
      ] as const) {
        const response = await post('/v1/batch', body, headers);
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
          status,
          origin,
        ]);
      }
      const refused = await post('/v1/batch', {}, { ...headers, authorization: basic('x') });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
      // A challenge would make the browser ask the visitor for a password.
      expect(refused.headers.get('www-authenticate')).toBeNull();
    });

    it.each([
      ['/v1/projects/%zz/settings', 400, 'invalid_url'],
      ['/v1/%c3%28', 400, 'invalid_url'],
      [`/v1/projects/${'k'.repeat(10_000)}/settings`, 414, 'uri_too_long'],
      ['/v1/nonsense', 404, 'not_found'],
    ])('lets pages read that %.30s does not exist', async (path, status, code) => {
      const response = await fetch(`${service.url}${path}`, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const requestId = response.headers.get('x-request-id');
      expect(await response.json()).toMatchObject({ status, code, requestId, message: expect.any(String) });
    });

    it('opens nothing but ingestion to them', async () => {
      const response = await fetch(`${service.url}/sources`, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('accepts a key as soon as other processes have it, and forgets it soon after it is gone', async () => {
    const source = await aSource(service.databaseUrl);
    const send = async (): Promise<number> =>
      (await post('/v1/batch', { batch: [] }, { authorization: basic(source.writeKey) })).status;
    expect(await send()).toBe(200);
    await source.disable();
    await eventually(async () => expect(await send()).toBe(401));
  });
});

function basic(writeKey: string): string {
  return `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
}
