import type { EventType, JsonObject, JsonValue } from '../../../events/customer-event';
import type { ProfileFacts } from '../../../profiles/touched-profile';
import { type Measure, type MeasuredStep, valueOfNothing } from '../measure';
import {
  type EventCountField,
  type Field,
  isCountedByDay,
  type MeasureField,
  type SequenceField,
  stepsKey,
} from '../predicate';
import { sequenceKey, type Span } from '../sequence';
import { firstStepOf } from '../window';

/** How many events of one name and type a profile has on one day of UTC. */
export interface TypeCount {
  readonly name: string;
  readonly type: EventType;
  /** Days since 1970. */
  readonly day: number;
  readonly count: number;
}

/** Everything a segment is computed from, for one profile. */
export interface SegmentFacts {
  readonly profile: ProfileFacts;
  /** Needed only where a rule has a window or a type. */
  readonly dayCounts: readonly TypeCount[];
  /** By `stepsKey`, the oldest step first: needed only where a rule has a measure. */
  readonly measures: ReadonlyMap<string, readonly MeasuredStep[]>;
  /** By `sequenceKey`, none of them over: needed only where a rule has a sequence. */
  readonly sequences: ReadonlyMap<string, readonly Span[]>;
  /** Ids of those that the person is in, as far as rules ask about them. */
  readonly segments: ReadonlySet<string>;
  /** Of the person's groups: as far as rules ask about them. */
  readonly groupTraits: readonly JsonObject[];
  /** By the clock of PostgreSQL. */
  readonly nowMs: number;
}

/** What a measure is read from. */
export type MeasuredFacts = Pick<SegmentFacts, 'measures' | 'nowMs'>;

type FieldReader = (facts: SegmentFacts) => JsonValue | undefined;

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,8})$/;

/** Whether a step of a path may be an index of an array. */
export function isArrayIndex(step: string): boolean {
  return ARRAY_INDEX.test(step);
}

/** The first day that counts. Without a window it is the first day of 1970: no event is older. */
export function firstDayOf({ window }: Pick<EventCountField, 'window'>, nowMs: number): number {
  return window === undefined ? 0 : firstStepOf(window, nowMs);
}

/** Reads a field of a profile; undefined when it is not there. */
export function compileField(field: Field): FieldReader {
  switch (field.kind) {
    case 'trait':
      return traitReader(field.paths);
    case 'group_trait': {
      const readAll = groupValuesReader(field.paths);
      return (facts) => {
        const values = readAll(facts);
        return values.length === 0 ? undefined : values;
      };
    }
    case 'groups':
      return ({ profile }) => (profile.groups.length === 0 ? undefined : [...profile.groups]);
    case 'segments':
      return ({ segments }) => [...segments].sort();
    case 'first_seen':
      return ({ profile }) => profile.firstSeenAt ?? undefined;
    case 'last_seen':
      return ({ profile }) => profile.lastSeenAt ?? undefined;
    case 'event_count':
      return countReader(field);
    case 'measure':
      return measureReader(field);
    case 'sequence': {
      const spansOf = compileSpans(field);
      return (facts) => spansOf(facts).some((span) => isIn(span, facts.nowMs)) || undefined;
    }
  }
}

function traitReader(paths: readonly (readonly string[])[]): FieldReader {
  const [only, ...others] = paths;
  if (only?.length === 1 && others.length === 0) {
    const key = only[0] as string;
    return ({ profile: { traits } }) => (Object.hasOwn(traits, key) ? traits[key] : undefined);
  }
  return ({ profile: { traits } }) => followFirst(traits, paths);
}

/** Reads a trait of each of the groups that have it. */
export function groupValuesReader(
  paths: readonly (readonly string[])[],
): (facts: SegmentFacts) => JsonValue[] {
  return ({ groupTraits }) =>
    groupTraits
      .map((traits) => followFirst(traits, paths))
      .filter((value) => value !== undefined && value !== null);
}

function followFirst(traits: JsonObject, paths: readonly (readonly string[])[]): JsonValue | undefined {
  for (const path of paths) {
    const value = follow(traits, path);
    if (value !== undefined) return value;
  }
  return undefined;
}

function follow(traits: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = traits;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = isArrayIndex(step) ? value[Number(step)] : undefined;
    else value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The counts that a field adds up. */
export function countsOf(field: EventCountField, { dayCounts, nowMs }: SegmentFacts): TypeCount[] {
  const firstDay = firstDayOf(field, nowMs);
  return dayCounts.filter(
    ({ name, type, day }) =>
      day >= firstDay &&
      (field.event === undefined || name === field.event) &&
      (field.type === undefined || type === field.type),
  );
}

function countReader(field: EventCountField): FieldReader {
  if (isCountedByDay(field)) {
    return (facts) => countsOf(field, facts).reduce((sum, { count }) => sum + count, 0);
  }
  const { event } = field;
  if (event === undefined) return ({ profile }) => profile.eventCount;
  return ({ profile: { eventTotals } }) =>
    Object.hasOwn(eventTotals, event) ? (eventTotals[event]?.count ?? 0) : 0;
}

/** The steps with events in the window of a measure, the oldest first. */
export function compileMeasuredSteps(field: MeasureField): (facts: MeasuredFacts) => readonly MeasuredStep[] {
  const key = stepsKey(field);
  return ({ measures, nowMs }) => {
    const first = firstStepOf(field.window, nowMs);
    return (measures.get(key) ?? []).filter(({ step }) => step >= first);
  };
}

/** The times in which the person has a sequence, apart from each other, in order. */
export function compileSpans(field: SequenceField): (facts: SegmentFacts) => readonly Span[] {
  const key = sequenceKey(field);
  return ({ sequences }) => sequences.get(key) ?? [];
}

function isIn({ fromMs, toMs }: Span, ms: number): boolean {
  return fromMs <= ms && ms < toMs;
}

/** What the events since a step come to, or, where it is undefined, no events at all. */
export function measuredSince(step: MeasuredStep | undefined, { aggregate }: Measure): JsonValue | undefined {
  return step === undefined ? valueOfNothing(aggregate) : (step.value ?? undefined);
}

function measureReader(field: MeasureField): FieldReader {
  const stepsOf = compileMeasuredSteps(field);
  return (facts) => measuredSince(stepsOf(facts)[0], field.measure);
}
