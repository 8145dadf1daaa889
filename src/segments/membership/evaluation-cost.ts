import type { SequenceField } from '../rules/predicate';
import type { Aggregate } from '../rules/measure';
import type { MeasureGroup, MeasureRead } from '../rules/sql/measure-groups';
import { partsOf } from '../rules/sequence';

/** What a definition looks at in stored events. */
export interface ReadsEvents {
  readonly reads: readonly MeasureRead[];
  readonly sequences?: readonly SequenceField[];
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

/** What it takes to look at stored events of one person for definitions together, in microseconds; roughly. */
export class EvaluationCost {
  private readonly groups = new Set<MeasureGroup>();
  us = 0;

  /** @param events that the person has */
  constructor(private readonly events: number) {}

  /** What one more definition adds to it: nothing where others read the same. */
  of({ reads, sequences = [] }: ReadsEvents): number {
    const groups = new Set(reads.map(({ group }) => group).filter((group) => !this.groups.has(group)));
    let ofEvent = 0;
    for (const group of groups) ofEvent += ofGroup(group);
    for (const sequence of sequences) ofEvent += WALK_US + STEP_US * partsOf(sequence).length;
    return ofEvent * this.events;
  }

  add(definition: ReadsEvents): void {
    this.us += this.of(definition);
    for (const { group } of definition.reads) this.groups.add(group);
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
