import type { TouchedProfile } from '../profiles/touched-profile';
import type { ActiveGeneration } from './active-generation';
import { conditionsOf, type Field } from './rules/predicate';
import type { SegmentFacts } from './rules/read-field';

/** Finds the definitions whose verdict may be another one after a change of a profile. */
export class GenerationIndex {
  private readonly byTrait = new Map<string, Set<ActiveGeneration>>();
  private readonly byEvent = new Map<string, Set<ActiveGeneration>>();
  private readonly byAnyEvent = new Set<ActiveGeneration>();
  private readonly byGroups = new Set<ActiveGeneration>();
  /** True of a profile of which nothing is known: somebody new may be in these whatever their events say. */
  private readonly ofNobody: readonly ActiveGeneration[];

  /** Every profile that is touched is evaluated for these: the computation relies on it. */
  private readonly computing: readonly ActiveGeneration[];

  constructor(readonly generations: readonly ActiveGeneration[]) {
    for (const generation of generations) {
      for (const { field } of conditionsOf(generation.predicate)) this.register(field, generation);
    }
    this.computing = generations.filter(({ phase }) => phase === 'computing');
    this.ofNobody = generations.filter(({ test }) => test(nobody));
  }

  candidatesOf(touched: TouchedProfile): ReadonlySet<ActiveGeneration> {
    // A merge brings counts, groups and traits that are not listed one by one.
    if (touched.mergedSubjects.length > 0) return new Set(this.generations);
    const found = new Set<ActiveGeneration>(this.computing);
    if (touched.created) addAll(found, this.ofNobody);
    for (const key of touched.changedTraits) addAll(found, this.byTrait.get(key));
    for (const name of touched.countedEvents) addAll(found, this.byEvent.get(name));
    if (touched.countedEvents.length > 0) addAll(found, this.byAnyEvent);
    if (touched.groupsChanged) addAll(found, this.byGroups);
    return found;
  }

  private register(field: Field, generation: ActiveGeneration): void {
    switch (field.kind) {
      case 'trait':
        for (const [root] of field.paths) entry(this.byTrait, String(root)).add(generation);
        return;
      case 'groups':
        this.byGroups.add(generation);
        return;
      case 'first_seen':
      case 'last_seen':
        this.byAnyEvent.add(generation);
        return;
      case 'event_count':
        if (field.event === undefined) this.byAnyEvent.add(generation);
        else entry(this.byEvent, field.event).add(generation);
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
  nowMs: 0,
};

function entry(index: Map<string, Set<ActiveGeneration>>, key: string): Set<ActiveGeneration> {
  const known = index.get(key);
  if (known !== undefined) return known;
  const added = new Set<ActiveGeneration>();
  index.set(key, added);
  return added;
}

function addAll<T>(target: Set<T>, source: Iterable<T> | undefined): void {
  if (source !== undefined) for (const item of source) target.add(item);
}
