import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { assert, constantFrom, dictionary, oneof, property, record, string, uuid } from 'fast-check';
import { cloudEventOf } from './cloud-event';

const SCHEMA = join(__dirname, '../../../test/fixtures/cloudevents-1.0.schema.json');
const ajv = new Ajv({ strict: false });
addFormats(ajv);
/** The published JSON schema of CloudEvents 1.0. */
const isCloudEvent = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);

const SENT = { deliveryId: 'd-1', eventType: 'track', sourceId: 's-1' };
const of = (event: object): Record<string, unknown> =>
  JSON.parse(cloudEventOf({ ...SENT, body: JSON.stringify(event) })) as Record<string, unknown>;

describe('an event as a CloudEvent', () => {
  it('has the attributes of the specification, and the event as its data', () => {
    const event = { type: 'track', event: 'Order', userId: 'ada', timestamp: '2026-11-20T12:00:00.000Z' };
    expect(of(event)).toEqual({
      specversion: '1.0',
      id: 'd-1',
      source: '/sources/s-1',
      type: 'internal.cdp.track',
      subject: 'ada',
      time: '2026-11-20T12:00:00.000Z',
      datacontenttype: 'application/json',
      data: event,
    });
  });

  it('is of the service itself where no source sent it', () => {
    const body = JSON.stringify({ type: 'notice', event: 'dead_letters' });
    const made = JSON.parse(cloudEventOf({ deliveryId: 'd-1', eventType: 'notice', body })) as object;
    expect(made).toMatchObject({ source: '/service', type: 'internal.cdp.notice' });
    expect(made).not.toHaveProperty('subject');
    expect(isCloudEvent(made)).toBe(true);
  });

  it('keeps the text of the event, number for number', () => {
    const body = '{"userId":"ada","properties":{"a":9007199254740993,"b":1.50,"c":-0,"d":1E400}}';
    expect(cloudEventOf({ ...SENT, body })).toContain(`"data":${body}}`);
  });

  it.each([
    [{ anonymousId: 'a', groupId: 'g' }, 'a'],
    [{ groupId: 'g' }, 'g'],
    [{ userId: 7, anonymousId: 'a' }, 'a'],
    [{ userId: '' }, undefined],
    [{ userId: 'a\nb' }, undefined],
    [{ userId: '\ud800' }, undefined],
    [{ userId: '\uffff' }, undefined],
  ])('is about the one in %j', (event, subject) => expect(of(event).subject).toBe(subject));

  it.each(['2026-11-20', 'now', '2026-13-40T12:00:00Z', 7, null, {}])(
    'has no time where a mapping put %j in its place',
    (timestamp) => expect(of({ timestamp })).not.toHaveProperty('time'),
  );

  it('is valid whatever the event holds, and the same each time', () => {
    const value = oneof(
      string({ unit: 'binary' }),
      constantFrom(null, 7, true, [], {}, '2026-11-20T12:00:00Z'),
    );
    const events = record(
      {
        userId: value,
        anonymousId: value,
        groupId: value,
        timestamp: value,
        properties: dictionary(string(), value),
      },
      { requiredKeys: [] },
    );
    assert(
      property(events, uuid(), (event, sourceId) => {
        const sent = { ...SENT, sourceId, body: JSON.stringify(event) };
        const text = cloudEventOf(sent);
        expect(isCloudEvent(JSON.parse(text)) || isCloudEvent.errors).toBe(true);
        expect(cloudEventOf(sent)).toBe(text);
        expect(text.endsWith(`"data":${sent.body}}`)).toBe(true);
      }),
    );
  });
});
