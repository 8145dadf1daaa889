import type { ProfileFacts } from '../../profiles/touched-profile';
import { firstDayOf } from '../rules/memory/read-field';
import type { EventCountField, SequenceField } from '../rules/predicate';
import type { Aggregate } from '../rules/measure';
import type { MeasureGroup, MeasureRead } from '../rules/sql/measure-groups';
import { partsOf } from '../rules/sequence';

/** What a definition looks at in stored events, and in counts of events per day. */
export interface ReadsEvents {
  readonly reads: readonly MeasureRead[];
  readonly sequences?: readonly SequenceField[];
  readonly dayCounts?: readonly EventCountField[];
}

/** Microseconds an event of a person, measured over 20,000 of one: for a walk along them, and for each value asked. */
const WALK_US = 5;
const STEP_US = 3;
const VALUE_US: Readonly<Record<Aggregate, number>> = {
  count: 1,
  sum: 1,
  min: 1,
  max: 1,
  avg: 1,
  first: 3,
  last: 3,
  unique: 7,
  most_frequent: 10,
};

/** A count of one name on one day. It is read much faster, but is held in memory until all that are evaluated along are. */
const DAY_COUNT_US = 10;
const DAY_MS = 24 * 60 * 60_000;

/** What it takes to look at what one person has done for definitions together, in microseconds; roughly. */
export class EvaluationCost {
  private readonly groups = new Set<MeasureGroup>();
  /** Counts per day that are read anyway, by the name of the event; undefined is those of all names. */
  private readonly dayCounts = new Map<string | undefined, number>();
  us = 0;

  constructor(private readonly facts: ProfileFacts) {}

  /** What one more definition adds to it: nothing where others read the same. */
  of({ reads, sequences = [], dayCounts = [] }: ReadsEvents): number {
    const groups = new Set(reads.map(({ group }) => group).filter((group) => !this.groups.has(group)));
    let ofEvent = 0;
    for (const group of groups) ofEvent += ofGroup(group);
    for (const sequence of sequences) ofEvent += WALK_US + STEP_US * partsOf(sequence).length;
    const added = dayCounts.map((field) => this.dayCountsOf(field) - (this.dayCounts.get(field.event) ?? 0));
    return ofEvent * this.facts.eventCount + Math.max(0, ...added) * DAY_COUNT_US;
  }

  add(definition: ReadsEvents): void {
    this.us += this.of(definition);
    for (const { group } of definition.reads) this.groups.add(group);
    for (const field of definition.dayCounts ?? []) {
      const known = this.dayCounts.get(field.event) ?? 0;
      this.dayCounts.set(field.event, Math.max(known, this.dayCountsOf(field)));
    }
  }

  /** One for each day and name, at most. */
  private dayCountsOf(field: EventCountField): number {
    const { event } = field;
    const { eventCount, eventTotals, firstSeenAt } = this.facts;
    const nowMs = Date.now();
    const since = Math.max(firstDayOf(field, nowMs) * DAY_MS, Date.parse(firstSeenAt));
    const days = Math.max(0, nowMs - since) / DAY_MS + 1;
    if (event !== undefined)
      return Math.min(Object.hasOwn(eventTotals, event) ? (eventTotals[event]?.count ?? 0) : 0, days);
    return Math.min(eventCount, days * Object.keys(eventTotals).length);
  }
}

const known = new WeakMap<MeasureGroup, number>();

function ofGroup(group: MeasureGroup): number {
  const us =
    known.get(group) ??
    [...group.measures.values()].reduce((sum, { aggregate }) => sum + VALUE_US[aggregate], WALK_US);
  known.set(group, us);
  return us;
}
