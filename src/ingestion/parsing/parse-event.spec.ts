import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import * as fc from 'fast-check';
import { anyEvent } from '../../../test/support/arbitrary-event';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { messageKey } from '../../events/message-key';
import { MAX_ID_LENGTH } from '../../events/subject';
import { EVENT_DTOS, type EventDto } from './event.dto';
import { EVENT_EXAMPLES } from '../api/event-examples';
import { DEFAULT_LIMITS, MAX_EVENT_DEPTH, MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from './limits';

import { parseEvent, type ParseContext, type ParsedEvent } from './parse-event';
import { parseJson } from './parse-request';
import { readMembers } from './read-members';

const RECEIVED_AT_MS = Date.parse('2026-11-20T12:00:00.000Z');
const TIMESTAMP = '2026-11-20T11:00:00.000Z';

const request: ParseContext = {
  receivedAtMs: RECEIVED_AT_MS,
  receivedAt: '2026-11-20T12:00:00.000Z',
  needsCleaning: false,
  limits: DEFAULT_LIMITS,
};

function aTrack(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'track',
    event: 'Bought',
    userId: 'u-1',
    messageId: 'm-1',
    timestamp: TIMESTAMP,
    ...changes,
  };
}

function accepted(
  raw: unknown,
  context: Partial<ParseContext> = {},
): ParsedEvent & { json: Record<string, unknown> } {
  const parsed = parseEvent(raw, { ...request, ...context });
  if (!parsed.accepted) throw new Error(`Rejected: ${JSON.stringify(parsed.problems)}`);
  return { ...parsed, json: JSON.parse(parsed.payload) as Record<string, unknown> };
}

function codes(raw: unknown, context: Partial<ParseContext> = {}): string[] {
  const parsed = parseEvent(raw, { ...request, ...context });
  return parsed.accepted ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`.trim());
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

function limitedTo(maxEventBytes: number): Partial<ParseContext> {
  return { limits: { ...DEFAULT_LIMITS, maxEventBytes } };
}

describe('parseEvent', () => {
  it('writes the normalised event', () => {
    const parsed = accepted(
      aTrack({ userId: 7, anonymousId: null, properties: { a: null }, _metadata: {}, writeKey: 'k' }),
    );
    expect(parsed).toMatchObject({
      type: 'track',
      subject: 'u:7',
      timestampMs: Date.parse(TIMESTAMP),
      name: 'Bought',
      messageId: 'm-1',
    });
    expect(parsed.json).toEqual({
      type: 'track',
      messageId: 'm-1',
      timestamp: TIMESTAMP,
      originalTimestamp: TIMESTAMP,
      receivedAt: '2026-11-20T12:00:00.000Z',
      userId: '7',
      properties: { a: null },
      event: 'Bought',
      _metadata: {},
    });
  });

  it.each([
    ['identify', {}, ['userId missing_identity']],
    ['page', { userId: null, anonymousId: '' }, ['userId missing_identity']],
    ['screen', { anonymousId: 'a' }, []],
    ['track', { anonymousId: 'a' }, ['event missing_event_name']],
    ['track', { userId: 'u', event: '' }, ['event missing_event_name']],
    ['track', { userId: 'u', event: 5 }, ['event invalid_event_name']],
    ['group', {}, ['groupId missing_group_id']],
    ['group', { groupId: 'g' }, []],
    ['alias', {}, ['userId missing_user_id', 'previousId missing_previous_id']],
    ['alias', { userId: 'u', previousId: 'p' }, []],
    ['page', { userId: 'u', name: null, category: '' }, []],
    ['page', { userId: 'u', name: [] }, ['name invalid_name']],
    ['page', { userId: 'u', name: 'x'.repeat(1025) }, ['name invalid_name']],
    ['delete', { userId: 'u' }, ['type unknown_type']],
    [undefined, { userId: 'u' }, ['type missing_type']],
    [
      'track',
      { userId: 'undefined', anonymousId: '[object Object]', event: 'e' },
      ['userId missing_identity'],
    ],
    ['track', { userId: {}, event: 'e' }, ['userId invalid_id']],
    ['track', { anonymousId: [], event: 'e' }, ['anonymousId invalid_id']],
    ['track', { userId: 2 ** 60, event: 'e' }, ['userId invalid_id']],
    ['track', { userId: 'x'.repeat(513), event: 'e' }, ['userId invalid_id']],
    [
      'identify',
      { userId: 'u', traits: 'x', context: 1 },
      ['context invalid_context', 'traits invalid_traits'],
    ],
  ])('judges %s with %j', (type, members, problems) => {
    expect(codes({ type, messageId: 'm', timestamp: TIMESTAMP, ...members })).toEqual(problems);
  });

  it.each([
    ['"userId":42.0', []],
    ['"userId":9007199254740993', ['userId invalid_id']],
    ['"userId":"u","event":1.0', ['event invalid_event_name']],
    ['"userId":"u","messageId":1.0', []],
    ['"userId":"u","timestamp":1.0', ['timestamp invalid_timestamp']],
    ['"userId":"u","type":1.0', ['type unknown_type']],
    ['"userId":"u","properties":1.0', ['properties invalid_properties']],
  ])('takes a number that keeps its digits for a number: %s', (members, problems) => {
    const text = `{"type":"track","event":"e","messageId":"m","timestamp":"${TIMESTAMP}",${members}}`;
    expect(codes(parseJson(text).value)).toEqual(problems);
  });

  it('finds all problems of an event at once', () => {
    expect(codes({ type: 'track', properties: 3 })).toEqual([
      'messageId missing_message_id',
      'timestamp missing_timestamp',
      'userId missing_identity',
      'event missing_event_name',
      'properties invalid_properties',
    ]);
  });

  it.each([null, 1, 'x', [], true])('rejects %j, which is no object', (raw) => {
    expect(codes(raw)).toEqual(['not_an_object']);
  });

  it('takes originalTimestamp where timestamp is missing', () => {
    expect(accepted(aTrack({ timestamp: undefined, originalTimestamp: TIMESTAMP })).json.timestamp).toBe(
      TIMESTAMP,
    );
    expect(codes(aTrack({ timestamp: '', originalTimestamp: 'x' }))).toEqual([
      'originalTimestamp invalid_timestamp',
    ]);
  });

  it('fills in messageId and timestamp where the call allows it', () => {
    const parsed = accepted({ event: 'e', userId: 'u' }, { type: 'track', newMessageId: () => 'made' });
    expect(parsed).toMatchObject({ messageId: 'made', timestampMs: RECEIVED_AT_MS });
    expect(parsed.json).not.toHaveProperty('originalTimestamp');
  });

  it('corrects the timestamp by sentAt, of the batch before that of the event', () => {
    const sentAt = { text: '2026-11-20T11:30:00.000Z', ms: RECEIVED_AT_MS - 1_800_000 };
    const parsed = accepted(aTrack({ sentAt: '2020-01-01T00:00:00Z' }), { sentAt });
    expect(parsed.json).toMatchObject({
      timestamp: '2026-11-20T11:30:00.000Z',
      originalTimestamp: TIMESTAMP,
      sentAt: sentAt.text,
    });
    expect(accepted(aTrack({ sentAt: TIMESTAMP })).json.timestamp).toBe(request.receivedAt);
    expect(accepted(aTrack({ sentAt: 'soon' })).json.timestamp).toBe(TIMESTAMP);
  });

  it('merges the context of the batch into events without one', () => {
    expect(accepted(aTrack(), { context: { ip: '1' } }).json.context).toEqual({ ip: '1' });
    expect(accepted(aTrack({ context: { ip: '2' } }), { context: { ip: '1' } }).json.context).toEqual({
      ip: '2',
    });
  });

  it('takes the traits of an identify from its context where it has none', () => {
    const identify = { type: 'identify', userId: 'u', messageId: 'm', timestamp: TIMESTAMP };
    expect(accepted({ ...identify, context: { traits: { plan: 'pro' } } }).json.traits).toEqual({
      plan: 'pro',
    });
    expect(accepted({ ...identify, traits: {}, context: { traits: { plan: 'pro' } } }).json.traits).toEqual(
      {},
    );
  });

  it('counts bytes, not characters, and of the event as it was sent', () => {
    const bytes = (raw: object): number => Buffer.byteLength(JSON.stringify(raw));
    const event = aTrack({ properties: { note: 'é'.repeat(500) } });
    expect(codes(event, limitedTo(bytes(event)))).toEqual([]);
    expect(codes(event, limitedTo(bytes(event) - 1))).toEqual(['event_too_large']);
  });

  it('rejects what has no bottom', () => {
    const bottomless = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(codes(aTrack({ other: bottomless }))).toEqual(['event_too_deep']);
  });

  it.each<[number, (size: number) => Record<string, unknown>, string]>([
    [MAX_MESSAGE_ID_LENGTH, (size) => ({ messageId: 'x'.repeat(size) }), 'messageId invalid_message_id'],
    [MAX_ID_LENGTH, (size) => ({ userId: 'x'.repeat(size) }), 'userId invalid_id'],
    // A character is a UTF-16 unit.
    [
      MAX_ID_LENGTH,
      (size) => ({ userId: '😀'.repeat(size / 2) + 'x'.repeat(size % 2) }),
      'userId invalid_id',
    ],
    [MAX_ID_LENGTH, (size) => ({ anonymousId: '€'.repeat(size) }), 'anonymousId invalid_id'],
    [MAX_ID_LENGTH, (size) => ({ groupId: 'x'.repeat(size), type: 'group' }), 'groupId invalid_id'],
    [MAX_ID_LENGTH, (size) => ({ previousId: 'x'.repeat(size), type: 'alias' }), 'previousId invalid_id'],
    [MAX_NAME_BYTES, (size) => ({ event: 'x'.repeat(size) }), 'event invalid_event_name'],
    [MAX_NAME_BYTES, (size) => ({ event: 'é'.repeat(Math.ceil(size / 2)) }), 'event invalid_event_name'],
    [MAX_NAME_BYTES, (size) => ({ name: 'x'.repeat(size), type: 'page' }), 'name invalid_name'],
    [MAX_NAME_BYTES, (size) => ({ category: 'x'.repeat(size), type: 'page' }), 'category invalid_category'],
    [MAX_EVENT_DEPTH, (size) => ({ properties: nested(size - 1) }), 'event_too_deep'],
  ])('takes what reaches %s, and no more', (limit, members, code) => {
    expect(codes(aTrack(members(limit)))).toEqual([]);
    expect(codes(aTrack(members(limit + 1)))).toEqual([code]);
  });

  it('keeps messageIds apart that are equal only after cleaning', () => {
    const sent = ['m\0', 'm\ud800', 'm\udfff', 'm\ufffd'];
    const parsed = sent.map((messageId) => accepted(aTrack({ messageId }), { needsCleaning: true }));
    expect(parsed.map(({ json }) => json.messageId)).toEqual(sent.map(() => 'm\ufffd'));
    expect(new Set(parsed.map(({ sentMessageId }) => messageKey('s', sentMessageId))).size).toBe(4);
  });

  it('cleans what PostgreSQL cannot store and what changes prototypes', () => {
    const text = `{"type":"track","event":"a\\u0000b","userId":"\\ud800u","messageId":"m","timestamp":"${TIMESTAMP}",
      "properties":{"__proto__":{"admin":true},"k\\u0000":"\\udfff","fine":"\\ud83d\\ude00","constructor":1}}`;
    const parsed = accepted(JSON.parse(text), { needsCleaning: true });
    expect(parsed.subject).toBe('u:\uFFFDu');
    expect(parsed.json.event).toBe('a\uFFFDb');
    expect(parsed.json.properties).toEqual({ 'k\uFFFD': '\uFFFD', fine: '😀', constructor: 1 });
  });

  it('stores null for numbers that are not finite', () => {
    const raw = JSON.parse(
      JSON.stringify(aTrack()).replace('"Bought"', '"Bought","properties":{"n":1e999}'),
    ) as object;
    expect(accepted(raw).json.properties).toEqual({ n: null });
  });

  it('gives the same verdict as the DTO classes', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(parseEvent(event, request).accepted).toBe(isValidDto(event));
      }),
      { numRuns: 3_000 },
    );
  });

  it('answers events that have all that CustomerEvent promises', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const parsed = parseEvent(event, request);
        fc.pre(parsed.accepted);
        const json = JSON.parse(parsed.payload) as Record<string, unknown>;
        expect(new Date(String(json.timestamp)).toISOString()).toBe(json.timestamp);
        expect(parsed.subject).toMatch(/^[uag]:./s);
        for (const id of ['userId', 'anonymousId', 'groupId', 'previousId'].filter(
          (member) => member in json,
        )) {
          expect(typeof json[id]).toBe('string');
        }
      }),
    );
  });
});

/** What class-validator says; for either of two members it has no word. */
function isValidDto(event: Record<string, unknown>): boolean {
  const { type, userId, anonymousId, ...others } = readMembers(event, request);
  if (!EVENT_TYPES.includes(type as EventType)) return false;
  const isKnown = type === 'group' || userId !== undefined || anonymousId !== undefined;
  const dto: new () => EventDto = EVENT_DTOS[type as EventType];
  const instance = plainToInstance(dto, { type, userId, anonymousId, ...others });
  return isKnown && validateSync(instance).length === 0;
}

describe('the examples of the documentation', () => {
  it.each(Object.values(EVENT_EXAMPLES))('of $type are accepted', (example) => {
    expect(codes(example)).toEqual([]);
  });
});
