import { type CustomerEvent, eventName } from '../../events/customer-event';
import { computedTraitsOf, type ParsedFilter } from '../../destinations/filter/filter';
import { ConditionIndex } from './condition-index';
import { ConditionMemo } from './condition-memo';
import { NameIndex } from './name-index';
import type { AskedOfPeople, PersonOfEvent } from './person-of-event';

/** What a destination wants, and the destination. */
export interface Route<D> {
  readonly destination: D;
  /** Ids of sources; undefined is all. */
  readonly sources: readonly string[] | undefined;
  readonly filter: ParsedFilter | undefined;
}

/** The routes for events of one source and type. Each is in one index, so none is found twice. */
interface Bucket<D> {
  readonly anyName: ConditionIndex<D>;
  readonly byName: NameIndex<ConditionIndex<D>>;
  /** The indexes in {@link byName}, by the names they are there for. */
  readonly indexes: Map<string, ConditionIndex<D>>;
}

/** Sources come and go; what is kept for them is made anew when it gets this much. */
const MAX_BUCKETS = 10_000;

/**
 * All destinations, indexed by source, type and name of the events they want, so that an event is only held against
 * the filters it may pass. Made once for a set of destinations.
 */
export class RoutingTable<D> implements AskedOfPeople {
  /** The segments that any filter asks for. */
  readonly segmentIds: ReadonlySet<string>;
  /** The computed traits that any filter asks about. */
  readonly traitNames: ReadonlySet<string>;
  private readonly buckets = new Map<string, Bucket<D>>();
  private readonly memo = new ConditionMemo();

  constructor(private readonly routes: readonly Route<D>[]) {
    this.segmentIds = new Set(routes.flatMap(({ filter }) => filter?.segments ?? []));
    this.traitNames = new Set(routes.flatMap(({ filter }) => (filter && computedTraitsOf(filter)) ?? []));
  }

  /** The destinations that get the event. `nowMs` is what conditions on dates compare with. */
  match(event: CustomerEvent, person: PersonOfEvent, nowMs: number): D[] {
    const bucket = this.bucketOf(event);
    const matched: D[] = [];
    this.memo.start(event, person, nowMs);
    bucket.anyName.collect(matched);
    for (const index of bucket.byName.find(eventName(event))) index.collect(matched);
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
      byName: new NameIndex(),
      indexes: new Map(),
    };
    for (const { destination, sources, filter } of this.routes) {
      if (sources?.includes(sourceId) === false) continue;
      if (filter?.types?.includes(type) === false) continue;
      this.indexFor(bucket, filter?.events).add(destination, filter);
    }
    return bucket;
  }

  private indexFor(
    { anyName, byName, indexes }: Bucket<D>,
    names: readonly string[] | undefined,
  ): ConditionIndex<D> {
    if (names === undefined || names.includes('*')) return anyName;
    const key = JSON.stringify(names);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const index = new ConditionIndex<D>(this.memo);
    indexes.set(key, index);
    byName.add(names, index);
    return index;
  }
}
