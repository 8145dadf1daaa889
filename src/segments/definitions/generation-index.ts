import type { TouchedProfile } from '../../profiles/touched-profile';
import type { ActiveGeneration } from './active-generation';
import { conditionsOf, type Field } from '../rules/predicate';
import type { SegmentFacts } from '../rules/memory/read-field';
import { MayCountIndex } from '../rules/memory/may-count-index';
import { partsOf } from '../rules/sequence';

/** Finds the definitions whose verdict may be another one after a change of a profile. */
export class GenerationIndex {
  // Lists of indexes in `generations`.
  private readonly byTrait = new Map<string, number[]>();
  private readonly byEvent = new MayCountIndex<number>();
  private readonly byAnyEvent: number[] = [];
  private readonly byGroups: number[] = [];
  private readonly byGroupTrait = new Map<string, number[]>();
  /** All that look at traits of groups, with those that ask about them. */
  readonly aboutGroups: readonly ActiveGeneration[];
  /** By generation: the definitions that ask whether a person is in it. */
  private readonly byRequired = new Map<number, ActiveGeneration[]>();
  /**
   * Those that hold for a profile of which nothing is known: a new person may be in these whatever their events say.
   */
  private readonly ofNobody: readonly number[];
  /** Every profile that is touched is evaluated for these: the computation relies on it. */
  private readonly computing: readonly number[];
  /** In which search each definition was found last: a set that need not be filled anew for each profile. */
  private readonly foundIn: Float64Array;
  private searches = 0;

  constructor(readonly generations: readonly ActiveGeneration[]) {
    for (const [index, { predicate }] of generations.entries()) {
      for (const { field } of conditionsOf(predicate)) this.register(field, index);
    }
    for (const active of generations) {
      for (const { generation } of active.requires) entry(this.byRequired, generation).push(active);
    }
    this.computing = this.indexesWhere(({ phase }) => phase === 'computing');
    this.ofNobody = this.indexesWhere(({ test }) => test(nobody));
    this.foundIn = new Float64Array(generations.length);
    this.aboutGroups = this.withDependents(generations.filter(({ groupTraits }) => groupTraits.length > 0));
  }

  /** Whether a change of these traits of a group may change a verdict on its members. */
  asksAboutGroupTraits(keys: readonly string[]): boolean {
    return keys.some((key) => this.byGroupTrait.has(key));
  }

  /**
   * Each of them once.
   * @param groupTraits the traits that changed in the groups of the person
   */
  candidatesOf(touched: TouchedProfile, groupTraits: readonly string[] = []): readonly ActiveGeneration[] {
    // A merge brings counts, groups and traits that are not listed one by one.
    if (touched.mergedSubjects.length > 0) return this.generations;
    this.searches += 1;
    const found: ActiveGeneration[] = [];
    this.find(this.computing, found);
    if (touched.created) this.find(this.ofNobody, found);
    for (const key of touched.changedTraits) this.find(this.byTrait.get(key), found);
    this.find(this.byEvent.find(touched), found);
    if (touched.events.length > 0) this.find(this.byAnyEvent, found);
    if (touched.groupsChanged) this.find(this.byGroups, found);
    for (const key of groupTraits) this.find(this.byGroupTrait.get(key), found);
    return this.withDependents(found);
  }

  /**
   * With them those that ask about any of them, directly or not; in the order in which they have to be evaluated. What
   * is asked about comes first.
   */
  withDependents(asked: readonly ActiveGeneration[]): readonly ActiveGeneration[] {
    if (this.byRequired.size === 0) return asked;
    const found = new Set(asked);
    // A set that grows while it is walked is walked to its new end.
    for (const { generation } of found) {
      for (const dependent of this.byRequired.get(generation) ?? []) found.add(dependent);
    }
    return found.size === 1 ? [...found] : this.generations.filter((active) => found.has(active));
  }

  private find(indexes: readonly number[] | undefined, found: ActiveGeneration[]): void {
    if (indexes === undefined) return;
    for (const index of indexes) {
      if (this.foundIn[index] === this.searches) continue;
      this.foundIn[index] = this.searches;
      found.push(this.generations[index] as ActiveGeneration);
    }
  }

  private indexesWhere(holds: (generation: ActiveGeneration) => boolean): number[] {
    return [...this.generations.keys()].filter((index) => holds(this.generations[index] as ActiveGeneration));
  }

  private register(field: Field, index: number): void {
    switch (field.kind) {
      // By `requires`.
      case 'segments':
        return;
      case 'trait':
        for (const [root] of field.paths) entry(this.byTrait, String(root)).push(index);
        return;
      case 'group_trait':
        for (const [root] of field.paths) entry(this.byGroupTrait, String(root)).push(index);
        this.byGroups.push(index);
        return;
      case 'groups':
        this.byGroups.push(index);
        return;
      case 'first_seen':
      case 'last_seen':
        this.byAnyEvent.push(index);
        return;
      case 'event_count':
        if (field.event === undefined) this.byAnyEvent.push(index);
        else this.byEvent.add({ event: field.event, type: field.type, where: [] }, index);
        return;
      case 'measure':
        this.byEvent.add(field.measure, index);
        return;
      case 'sequence':
        for (const [, step] of partsOf(field)) this.byEvent.add(step, index);
    }
  }
}

const nobody: SegmentFacts = {
  profile: {
    subject: 'u:',
    traits: {},
    groups: [],
    eventCount: 0,
    eventTotals: {},
    firstSeenAt: '',
    lastSeenAt: '',
  },
  dayCounts: [],
  measures: new Map(),
  sequences: new Map(),
  groupTraits: [],
  segments: new Set(),
  nowMs: 0,
};

function entry<Key, Value>(index: Map<Key, Value[]>, key: Key): Value[] {
  const known = index.get(key);
  if (known !== undefined) return known;
  const added: Value[] = [];
  index.set(key, added);
  return added;
}
