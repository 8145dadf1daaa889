import { type CustomerEvent, eventName } from '../../events/customer-event';
import type { ParsedFilter } from '../../destinations/filter/filter';
import { ConditionIndex } from './condition-index';
import { ConditionMemo, type SegmentsOfPerson } from './condition-memo';
import { compileNamePattern, isPattern, type NameTest } from './name-pattern';

/** What a destination wants, and the destination. */
export interface Route<D> {
  readonly destination: D;
  /** Ids of sources; undefined is all. */
  readonly sources: readonly string[] | undefined;
  readonly filter: ParsedFilter | undefined;
}

/** The routes for events of one source and type. Each is in one place for any name, so none is found twice. */
interface Bucket<D> {
  readonly anyName: ConditionIndex<D>;
  readonly byName: Map<string, ConditionIndex<D>>;
  /** By the names as they were written. */
  readonly byPattern: Map<string, { readonly test: NameTest; readonly index: ConditionIndex<D> }>;
  /** Patterns that only end in `*`, by what is before it; the lengths of these prefixes. */
  readonly byPrefix: Map<string, ConditionIndex<D>>;
  readonly prefixLengths: Set<number>;
}

/** Sources come and go; what is kept for them is made anew when it gets this much. */
const MAX_BUCKETS = 10_000;

/**
 * All destinations, indexed by source, type and name of the events they want, so that an event is only held against
 * the filters it may pass. Made once for a set of destinations.
 */
export class RoutingTable<D> {
  /** The segments that any filter asks for. */
  readonly segmentIds: ReadonlySet<string>;
  private readonly buckets = new Map<string, Bucket<D>>();
  private readonly memo = new ConditionMemo();

  constructor(private readonly routes: readonly Route<D>[]) {
    this.segmentIds = new Set(routes.flatMap(({ filter }) => filter?.segments ?? []));
  }

  /** The destinations that get the event. `nowMs` is what conditions on dates compare with. */
  match(event: CustomerEvent, segments: SegmentsOfPerson, nowMs: number): D[] {
    const bucket = this.bucketOf(event);
    const { anyName, byName, byPattern, byPrefix, prefixLengths } = bucket;
    const matched: D[] = [];
    this.memo.start(event, segments, nowMs);
    anyName.collect(matched);
    const name = eventName(event);
    byName.get(name)?.collect(matched);
    for (const length of prefixLengths) {
      if (length <= name.length) byPrefix.get(name.slice(0, length))?.collect(matched);
    }
    for (const { test, index } of byPattern.values()) if (test(name)) index.collect(matched);
    return matched;
  }

  private bucketOf({ sourceId, type }: CustomerEvent): Bucket<D> {
    const key = `${type} ${sourceId}`;
    const known = this.buckets.get(key);
    if (known !== undefined) return known;
    if (this.buckets.size >= MAX_BUCKETS) this.buckets.clear();
    const bucket = this.makeBucket(sourceId, type);
    this.buckets.set(key, bucket);
    return bucket;
  }

  private makeBucket(sourceId: string, type: CustomerEvent['type']): Bucket<D> {
    const bucket: Bucket<D> = {
      anyName: new ConditionIndex(this.memo),
      byName: new Map(),
      byPattern: new Map(),
      byPrefix: new Map(),
      prefixLengths: new Set(),
    };
    for (const { destination, sources, filter } of this.routes) {
      if (sources?.includes(sourceId) === false) continue;
      if (filter?.types?.includes(type) === false) continue;
      for (const index of this.indexesFor(bucket, filter?.events)) index.add(destination, filter);
    }
    return bucket;
  }

  private indexesFor(bucket: Bucket<D>, names: readonly string[] | undefined): ConditionIndex<D>[] {
    if (names === undefined || names.includes('*')) return [bucket.anyName];
    if (!names.some(isPattern)) return [...new Set(names)].map((name) => this.indexIn(bucket.byName, name));
    const [only = ''] = names;
    if (names.length === 1 && only.indexOf('*') === only.length - 1) {
      bucket.prefixLengths.add(only.length - 1);
      return [this.indexIn(bucket.byPrefix, only.slice(0, -1))];
    }
    return [this.indexOfPatterns(bucket, names)];
  }

  private indexOfPatterns({ byPattern }: Bucket<D>, names: readonly string[]): ConditionIndex<D> {
    const key = JSON.stringify(names);
    const known = byPattern.get(key);
    if (known !== undefined) return known.index;
    const [first, ...others] = names.map(compileNamePattern);
    const index = new ConditionIndex<D>(this.memo);
    const test: NameTest = (name) => first?.(name) === true || others.some((other) => other(name));
    byPattern.set(key, { test: others.length === 0 && first !== undefined ? first : test, index });
    return index;
  }

  private indexIn(indexes: Map<string, ConditionIndex<D>>, key: string): ConditionIndex<D> {
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const index = new ConditionIndex<D>(this.memo);
    indexes.set(key, index);
    return index;
  }
}
