import type { JsonValue } from '../../events/customer-event';
import type { ParsedFilter } from '../../destinations/filter/filter';
import type { EventCondition } from '../../language/event-condition';
import { isPlainScalar } from '../../language/compile-operator';
import type { ConditionId, ConditionMemo, PathId } from './condition-memo';

/** Destinations that ask exactly the same of an event. */
interface ConditionGroup<D> {
  readonly destinations: D[];
  readonly match: 'all' | 'any';
  readonly conditions: readonly ConditionId[];
}

/** Groups that want a certain value at a path; the groups by that value. */
interface ValueIndex<D> {
  readonly pathId: PathId;
  readonly groups: Map<JsonValue | undefined, ConditionGroup<D>[]>;
}

/**
 * Destinations by what they ask of an event beside its source, type and name. Those that want one value at one path
 * (`eq`, `in`) is found by looking that value up; the rest is asked one after the other.
 */
export class ConditionIndex<D> {
  private readonly scanned: ConditionGroup<D>[] = [];
  private readonly indexed: ValueIndex<D>[] = [];
  private readonly groups = new Map<string, ConditionGroup<D>>();

  constructor(private readonly memo: ConditionMemo) {}

  add(destination: D, filter: ParsedFilter | undefined): void {
    const { conditions = [], match = 'all', segments } = filter ?? {};
    const key = JSON.stringify([conditions, match, segments]);
    const known = this.groups.get(key);
    if (known !== undefined) {
      known.destinations.push(destination);
      return;
    }
    this.groups.set(key, this.addGroup(destination, { conditions, match, segments }));
  }

  /** Adds to `matched` the destinations whose filter accepts the event that the memo is about. */
  collect(matched: D[]): void {
    for (let i = 0; i < this.scanned.length; i += 1) this.collectGroup(this.scanned[i], matched);
    for (const { pathId, groups } of this.indexed) {
      const wanting = groups.get(this.memo.value(pathId));
      if (wanting === undefined) continue;
      for (let i = 0; i < wanting.length; i += 1) this.collectGroup(wanting[i], matched);
    }
  }

  private addGroup(
    destination: D,
    { conditions, match, segments }: Pick<ParsedFilter, 'conditions' | 'match' | 'segments'>,
  ): ConditionGroup<D> {
    const needsAll = match === 'all' || conditions.length <= 1;
    const lookUp = needsAll
      ? conditions.find((condition) => valuesToLookUp(condition) !== undefined)
      : undefined;
    const asked = conditions.filter((condition) => condition !== lookUp);
    const ids = asked.map((condition) => this.memo.addCondition(condition));
    const group: ConditionGroup<D> = this.groupOf(destination, needsAll ? 'all' : match, ids, segments);
    if (lookUp === undefined) this.scanned.push(group);
    else this.indexGroup(group, lookUp);
    return group;
  }

  private groupOf(
    destination: D,
    match: 'all' | 'any',
    conditions: readonly ConditionId[],
    segments: readonly string[] | undefined,
  ): ConditionGroup<D> {
    const destinations = [destination];
    if (segments === undefined) return { destinations, match, conditions };
    const inSegments = this.memo.addSegments(segments);
    if (match === 'all') return { destinations, match, conditions: [inSegments, ...conditions] };
    return { destinations, match: 'all', conditions: [inSegments, this.memo.addAny(conditions)] };
  }

  private indexGroup(group: ConditionGroup<D>, lookUp: EventCondition): void {
    const pathId = this.memo.addPath(lookUp.path);
    let index = this.indexed.find((candidate) => candidate.pathId === pathId);
    if (index === undefined) {
      index = { pathId, groups: new Map() };
      this.indexed.push(index);
    }
    for (const value of new Set(valuesToLookUp(lookUp))) {
      const wanting = index.groups.get(value);
      if (wanting === undefined) index.groups.set(value, [group]);
      else wanting.push(group);
    }
  }

  private collectGroup(group: ConditionGroup<D> | undefined, matched: D[]): void {
    if (group === undefined || !this.accepts(group)) return;
    const { destinations } = group;
    for (let i = 0; i < destinations.length; i += 1) matched.push(destinations[i] as D);
  }

  private accepts({ match, conditions }: ConditionGroup<D>): boolean {
    const decisive = match === 'any';
    for (let i = 0; i < conditions.length; i += 1) {
      if (this.memo.holds(conditions[i] as ConditionId) === decisive) return decisive;
    }
    return !decisive;
  }
}

/** The values, one of which the condition wants, when it wants exactly these and equality is identity for them. */
function valuesToLookUp({ operator, comparand }: EventCondition): readonly JsonValue[] | undefined {
  let values: readonly JsonValue[] = [];
  if (operator === 'eq' && comparand.kind === 'value') values = [comparand.value];
  if (operator === 'in' && comparand.kind === 'list') values = comparand.values;
  return values.length > 0 && values.every(isPlainScalar) ? values : undefined;
}
