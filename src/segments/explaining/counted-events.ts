import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import type { CountedEvent } from '../rules/measure';
import { type CountedBy, countedEventsStatement } from '../rules/measure-to-sql';
import { type Condition, conditionsOf, type Predicate } from '../rules/predicate';
import { beginOfWindowMs } from '../rules/window';

/** Of each rule, and in so many rules at most: each is a read of the person's events. */
const MAX_EVENTS = 10;
const MAX_RULES = 20;

/** The newest stored events behind the value that each rule about events sees, by the path of the rule. */
export async function readCountedEvents(
  predicate: Predicate,
  subject: Subject,
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<string, readonly CountedEvent[]>> {
  const counting = conditionsOf(predicate).flatMap((condition) => {
    const counted = countedBy(condition, nowMs);
    return counted === undefined ? [] : [{ path: condition.path, counted }];
  });
  const found = new Map<string, readonly CountedEvent[]>();
  for (const { path, counted } of counting.slice(0, MAX_RULES)) {
    const { text, params } = countedEventsStatement(counted, subject, MAX_EVENTS);
    const rows = await tx.query<{ id: string; timestamp: Date; value: JsonValue }>(text, [...params]);
    const hasValue = counted.measure.of !== undefined;
    found.set(
      path,
      rows.map(({ id, timestamp, value }) => ({
        id,
        timestamp: timestamp.toISOString(),
        ...(hasValue && { value }),
      })),
    );
  }
  return found;
}

/** Undefined for a rule about something else, or about events of any name: these are all that the person has. */
function countedBy({ field }: Condition, nowMs: number): CountedBy | undefined {
  if (field.kind === 'measure') {
    return { measure: field.measure, sinceMs: beginOfWindowMs(field.window, nowMs) };
  }
  if (field.kind !== 'event_count' || field.event === undefined) return undefined;
  const { event, type, withinDays } = field;
  const measure = { event, ...(type && { type }), where: [], aggregate: 'count' } as const;
  const window = withinDays === undefined ? undefined : ({ unit: 'day', count: withinDays } as const);
  return { measure, sinceMs: window && beginOfWindowMs(window, nowMs) };
}
