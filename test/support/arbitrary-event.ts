import * as fc from 'fast-check';
import { EVENT_TYPES } from '../../src/events/customer-event';

/** Values that turn up where an id should be. */
const anyId = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
  fc.constantFrom(
    undefined,
    null,
    '',
    ' ',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    '00000000-0000-0000-0000-000000000000',
    0,
    42,
    -1.5,
    2 ** 53,
    Infinity,
    true,
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(512),
    'x'.repeat(513),
    'é'.repeat(512),
    'a\u0000b',
    '\ud800',
  ),
  fc.constantFrom<unknown>({}, [], ['a'], { id: 1 }),
);

const anyTime = fc.oneof(
  { weight: 6, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
  fc.constantFrom(
    undefined,
    null,
    '',
    '2026-11-20',
    '2026-11-20T10:00',
    '2026-11-20T10:00:00+01:00',
    '2026-11-20T10:00:00.123456789Z',
    '2026-02-30T10:00:00Z',
    '2026-11-20T25:00:00Z',
    'yesterday',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    1_763_632_800_000,
    {},
  ),
);

const anyObject = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  },
  fc.constantFrom<unknown>(undefined, null, [], [1], 'text', 7, false),
);

const anyName = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 30 }) },
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'n'.repeat(1024),
    'n'.repeat(1025),
    'é'.repeat(513),
    5,
    {},
    [],
  ),
);

/** Events as SDKs send them, and as they should not. Members that are undefined are missing. */
export const anyEvent: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    type: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom<unknown>(...EVENT_TYPES) },
      fc.constantFrom<unknown>(undefined, null, '', 'Track', 'delete', 3, {}),
    ),
    messageId: anyId,
    timestamp: anyTime,
    originalTimestamp: anyTime,
    sentAt: anyTime,
    userId: anyId,
    anonymousId: anyId,
    groupId: anyId,
    previousId: anyId,
    event: anyName,
    name: anyName,
    category: anyName,
    properties: anyObject,
    traits: anyObject,
    context: anyObject,
    integrations: fc.option(anyObject),
  })
  .map((event) => Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)));
