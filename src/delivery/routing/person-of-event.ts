import { COMPUTED } from '../../segments/rules/computed-path';
import type { CustomerEvent, JsonObject, JsonValue, Subject } from '../../events/customer-event';
import { type EventPath, valueAt } from '../../events/event-path';
import type { Tx } from '../../platform/database/database';
import { computedValuesOf } from '../../segments/computed-traits/values-of';
import { segmentsOf } from '../../segments/reading/segments-of';

/** What filters ask about the person of an event, as far as any of them does. */
export interface PersonOfEvent {
  /** Ids of the segments that the person is in. */
  readonly segments: ReadonlySet<string>;
  /** Values of computed traits, by name. */
  readonly computed: JsonObject;
}

/** What any of some filters asks about people. */
export interface AskedOfPeople {
  readonly segmentIds: ReadonlySet<string>;
  /** Names of computed traits. */
  readonly traitNames: ReadonlySet<string>;
}

export const STRANGER: PersonOfEvent = { segments: new Set(), computed: {} };

/**
 * What filters ask about the people of events, as the transaction sees it. No statement where they ask for nothing.
 * @param retentionDays for which events are kept
 */
export async function readPeople(
  events: readonly Pick<CustomerEvent, 'subject'>[],
  { segmentIds, traitNames }: AskedOfPeople,
  retentionDays: number,
  tx: Tx,
): Promise<(event: Pick<CustomerEvent, 'subject'>) => PersonOfEvent> {
  const subjects = events.map(({ subject }): Subject => subject);
  const segments = await segmentsOf(subjects, segmentIds, tx);
  const computed = await computedValuesOf(subjects, traitNames, retentionDays, tx);
  if (segments.size === 0 && computed.size === 0) return () => STRANGER;
  return ({ subject }) => ({
    segments: segments.get(subject) ?? STRANGER.segments,
    computed: computed.get(subject) ?? STRANGER.computed,
  });
}

/** What a condition at a path looks at: a member of the event, or `computed.<name>` of its person. */
export function valueSeen(
  event: CustomerEvent,
  person: PersonOfEvent,
  path: EventPath,
): JsonValue | undefined {
  if (path[0] === COMPUTED) return valueAt(person.computed, path.slice(1));
  return valueAt(event as unknown as JsonObject, path); // Every member of an event is JSON.
}
