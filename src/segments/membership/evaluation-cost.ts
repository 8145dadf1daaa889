import type { ProfileFacts } from '../../profiles/touched-profile';
import { firstDayOf } from '../rules/memory/read-field';
import type { EventCountField, SequenceField } from '../rules/predicate';
import type { Aggregate } from '../rules/measure';
import type { MeasureGroup, MeasureRead } from '../rules/sql/measure-groups';
import { partsOf, sequenceKey } from '../rules/sequence';

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

/**
 * A count of one name on one day. It is read much faster, but is held in memory until all that are evaluated along are.
 */
const DAY_COUNT_US = 10;
const DAY_MS = 24 * 60 * 60_000;
const NO_COUNTS: ReadonlyMap<string | undefined, number> = new Map();

/** What it takes to look at what one person has done for definitions together, in microseconds; roughly. */
export class EvaluationCost {
  private readonly groups = new Set<MeasureGroup>();
  /** Counts per day that are read anyway, by the name of the event; undefined is those of all names. */
  private readonly dayCounts = new Map<string | undefined, number>();
  /** What looking for each takes for an event, by `sequenceKey`. */
  readonly sequences = new Map<string, number>();
  us = 0;
  private readonly nowMs = Date.now();
  private readonly firstSeenMs: number;

  constructor(private readonly facts: ProfileFacts) {
    this.firstSeenMs = Date.parse(facts.firstSeenAt);
  }

  get eventCount(): number {
    return this.facts.eventCount;
  }

  /** What one more definition adds to it: nothing where others read the same. */
  of({ reads, sequences = [], dayCounts = [] }: ReadsEvents): number {
    return this.usOfEvents(reads, sequences) + this.usOfCounts(this.countsWith(dayCounts));
  }

  add({ reads, sequences = [], dayCounts = [] }: ReadsEvents): void {
    const counts = this.countsWith(dayCounts);
    this.us += this.usOfEvents(reads, sequences) + this.usOfCounts(counts);
    for (const { group } of reads) this.groups.add(group);
    for (const [key, us] of sequences.map(ofSequence)) this.sequences.set(key, us);
    for (const [name, count] of counts) this.dayCounts.set(name, count);
  }

  private usOfEvents(reads: readonly MeasureRead[], sequences: readonly SequenceField[]): number {
    if (reads.length + sequences.length === 0) return 0;
    let us = 0;
    for (const group of new Set(reads.map((read) => read.group)))
      if (!this.groups.has(group)) us += ofGroup(group);
    for (const [key, ofOne] of new Map(sequences.map(ofSequence))) if (!this.sequences.has(key)) us += ofOne;
    return us * this.eventCount;
  }

  private usOfCounts(counts: ReadonlyMap<string | undefined, number>): number {
    let added = 0;
    for (const [name, count] of counts) added += count - (this.dayCounts.get(name) ?? 0);
    return added * DAY_COUNT_US;
  }

  /** Of the names in these fields: as many counts as are read of each when these are read as well. */
  private countsWith(fields: readonly EventCountField[]): ReadonlyMap<string | undefined, number> {
    if (fields.length === 0) return NO_COUNTS;
    const counts = new Map<string | undefined, number>();
    for (const field of fields) {
      const known = counts.get(field.event) ?? this.dayCounts.get(field.event) ?? 0;
      counts.set(field.event, Math.max(known, this.dayCountsOf(field)));
    }
    return counts;
  }

  /** One for each day and name, at most. */
  private dayCountsOf(field: EventCountField): number {
    const { event } = field;
    const { eventCount, eventTotals } = this.facts;
    const sinceMs = Math.max(firstDayOf(field, this.nowMs) * DAY_MS, this.firstSeenMs);
    const days = Math.max(0, this.nowMs - sinceMs) / DAY_MS + 1;
    if (event !== undefined)
      return Math.min(Object.hasOwn(eventTotals, event) ? (eventTotals[event]?.count ?? 0) : 0, days);
    return Math.min(eventCount, days * Object.keys(eventTotals).length);
  }
}

const knownSequences = new WeakMap<SequenceField, readonly [key: string, us: number]>();

function ofSequence(sequence: SequenceField): readonly [key: string, us: number] {
  const found =
    knownSequences.get(sequence) ??
    ([sequenceKey(sequence), WALK_US + STEP_US * partsOf(sequence).length] as const);
  knownSequences.set(sequence, found);
  return found;
}

const known = new WeakMap<MeasureGroup, number>();

function ofGroup(group: MeasureGroup): number {
  const us =
    known.get(group) ??
    [...group.measures.values()].reduce((sum, { aggregate }) => sum + VALUE_US[aggregate], WALK_US);
  known.set(group, us);
  return us;
}
