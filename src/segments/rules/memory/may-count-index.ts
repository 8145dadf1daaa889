import { eventName } from '../../../events/customer-event';
import { NEWEST_EVENTS } from '../../../events/reading/matching-events-sql';
import type { TouchedProfile } from '../../../profiles/touched-profile';
import type { EventTest } from '../event-test';
import { compileMayCount, type MayCount } from './may-count';

/** A test of events, and who asks it. */
interface Asked<Item> {
  readonly mayCount: MayCount;
  readonly items: Item[];
}

/** Finds who looks at an event, by its name and what is in it: a test that many ask is made once. */
export class MayCountIndex<Item> {
  /** By name, and then by what is asked of an event of it. */
  private readonly byName = new Map<string, Map<string, Asked<Item>>>();

  add({ event, type, where, range }: EventTest, item: Item): void {
    const key = JSON.stringify([type ?? null, where, range ?? null]);
    const ofName = this.byName.get(event) ?? new Map<string, Asked<Item>>();
    this.byName.set(event, ofName);
    const asked = ofName.get(key) ?? { mayCount: compileMayCount({ type, where, range }), items: [] };
    ofName.set(key, asked);
    asked.items.push(item);
  }

  /**
   * Those for whom the events of a profile may make a difference: an item once for each of its tests. Where a profile
   * may have more events than are looked at, any event of a name that is asked about may end that another one counts;
   * one of another name may, too, which shows when an event of the name comes or when the definition is due.
   */
  find({ events, facts }: Pick<TouchedProfile, 'events' | 'facts'>): Item[] {
    if (this.byName.size === 0) return [];
    const isFull = facts.eventCount > NEWEST_EVENTS;
    const found = new Set<Asked<Item>>();
    for (const event of events) {
      for (const asked of this.byName.get(eventName(event))?.values() ?? []) {
        if (!found.has(asked) && (isFull || asked.mayCount(event))) found.add(asked);
      }
    }
    return [...found].flatMap(({ items }) => items);
  }
}
