import type { EventType, JsonObject, Subject } from '../../src/events/customer-event';
import { DAY_MS } from '../../src/events/partitions/partition-plan';
import type { SegmentFacts } from '../../src/segments/rules/memory/read-field';
import type { RandomProfile } from './random-segments';

/** What rules get to see of a profile. The traits are given where they were stored, which may write a number anew. */
export function factsOf(
  profile: RandomProfile,
  nowMs: number,
  subject: Subject = 'u:somebody',
  traits: JsonObject = profile.traits,
): SegmentFacts {
  const { groups, groupTraits = [], totals, firstSeenAt, lastSeenAt, days } = profile;
  return {
    profile: {
      subject,
      traits,
      groups,
      eventCount: Object.values(totals).reduce((sum, count) => sum + count, 0),
      eventTotals: Object.fromEntries(
        Object.entries(totals).map(([name, count]) => [
          name,
          { count, firstAt: firstSeenAt, lastAt: lastSeenAt },
        ]),
      ),
      firstSeenAt,
      lastSeenAt,
    },
    dayCounts: days.flatMap(({ name, daysAgo, count, types }) => {
      const said = name === 'page' ? 'page' : 'track';
      return (types ?? Array<EventType>(count).fill(said)).map((type) => ({
        name,
        type,
        day: Math.floor(nowMs / DAY_MS) - daysAgo,
        count: 1,
      }));
    }),
    measures: new Map(),
    sequences: new Map(),
    segments: new Set(),
    groupTraits,
    nowMs,
  };
}
