import { compilePlan } from '../../tracking-plans/language/compile-plan';
import { DEFAULT_LIMITS } from './limits';
import { parseEvent } from './parse-event';

const MAX_EVENT_BYTES = 1_000;
const plan = compilePlan({ rules: [], unplannedEvents: 'omit', unplannedProperties: 'allow' });

describe('judging an event', () => {
  it('is spared one that is too large, whatever its plan would omit', () => {
    expect(outcomeOf({ note: 'x'.repeat(500) })).toBe('{}');
    expect(outcomeOf({ note: 'x'.repeat(1_000) })).toBe('event_too_large');
    expect(outcomeOf(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1])))).toBe(
      'event_too_large',
    );
  });
});

/** What is left of the properties, or why it is rejected. */
function outcomeOf(properties: object): string | undefined {
  const timestamp = '2026-11-20T12:00:00.000Z';
  const event = { type: 'track', event: 'Seen', userId: 'u', messageId: 'm', timestamp, properties };
  const parsed = parseEvent(event, {
    receivedAtMs: Date.parse(timestamp),
    receivedAt: timestamp,
    needsCleaning: false,
    limits: { ...DEFAULT_LIMITS, maxEventBytes: MAX_EVENT_BYTES },
    judge: { id: 'plan', version: 1, plan, mayKeepNumbers: false },
  });
  if (!parsed.accepted) return parsed.problems[0]?.code;
  return JSON.stringify((JSON.parse(parsed.payload) as { properties: object }).properties);
}
