import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import type { CountedEvent } from '../rules/measure';
import { countedEventsStatement } from '../rules/sql/measure-to-sql';
import { conditionsOf, type Field, type Predicate } from '../rules/predicate';
import { sequenceEventsStatement } from '../rules/sql/sequence-to-sql';
import { beginOfWindowMs } from '../rules/window';

/** Of each rule, and in so many rules at most: each is a read of the person's events. */
const MAX_EVENTS = 10;
const MAX_RULES = 20;

interface EventRow {
  readonly id: string;
  readonly timestamp: Date;
  readonly value?: JsonValue;
  readonly steps?: readonly string[];
}

/** The newest stored events behind what each rule about events sees, by the path of the rule. */
export async function readCountedEvents(
  predicate: Predicate,
  subject: Subject,
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<string, readonly CountedEvent[]>> {
  const asking = conditionsOf(predicate).flatMap(({ path, field }) => {
    const statement = statementOf(field, subject, nowMs);
    return statement === undefined ? [] : [{ path, field, statement }];
  });
  const found = new Map<string, readonly CountedEvent[]>();
  for (const { path, field, statement } of asking.slice(0, MAX_RULES)) {
    const rows = await tx.query<EventRow>(statement.text, [...statement.params]);
    const hasValue = field.kind === 'measure' && field.measure.of !== undefined;
    found.set(
      path,
      rows.map(({ id, timestamp, value, steps }) => ({
        id,
        timestamp: timestamp.toISOString(),
        ...(hasValue && value !== undefined && { value }),
        ...(steps && { steps }),
      })),
    );
  }
  return found;
}

/** Undefined for a rule about something else, or about events of any name: these are all that the person has. */
function statementOf(
  field: Field,
  subject: Subject,
  nowMs: number,
): { readonly text: string; readonly params: readonly unknown[] } | undefined {
  if (field.kind === 'sequence') {
    return sequenceEventsStatement(field, { subject, nowMs, limit: MAX_EVENTS });
  }
  if (field.kind === 'measure') {
    const sinceMs = beginOfWindowMs(field.window, nowMs);
    return countedEventsStatement({ measure: field.measure, sinceMs }, subject, MAX_EVENTS);
  }
  if (field.kind !== 'event_count' || field.event === undefined) return undefined;
  const { event, type, window } = field;
  const measure = { event, ...(type && { type }), where: [], aggregate: 'count' } as const;
  const sinceMs = window && beginOfWindowMs(window, nowMs);
  return countedEventsStatement({ measure, sinceMs }, subject, MAX_EVENTS);
}
