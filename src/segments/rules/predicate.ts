import type { EventType } from '../../events/customer-event';
import { type Comparand, textOf } from '../../language/comparand';
import type { Operator } from '../../language/operators';
import { type Measure, measureKey } from './measure';
import { partsOf, type Sequence, sequenceKey } from './sequence';
import type { Window } from './window';

/** What a condition looks at. */
export type Field =
  | TraitField
  | { readonly kind: 'groups' }
  /** Ids of the segments that the person is in. */
  | { readonly kind: 'segments' }
  | { readonly kind: 'first_seen' | 'last_seen' }
  | EventCountField
  | MeasureField
  | SequenceField;

/** The first of `paths` that is there. Each path is a list of object keys (or array indexes) from the traits down. */
export interface TraitField {
  /** A trait of the person, or one of each of the person's groups. */
  readonly kind: 'trait' | 'group_trait';
  readonly paths: readonly (readonly string[])[];
}

/** All events; those of one name, or of one type, or both; those of a window of days. */
export interface EventCountField {
  readonly kind: 'event_count';
  readonly event?: string;
  readonly type?: EventType;
  readonly window?: Window;
}

/** What stored events in a window come to. */
export interface MeasureField {
  readonly kind: 'measure';
  readonly measure: Measure;
  readonly window: Window;
}

/** Whether stored events follow each other in a way: `true`, or not there. */
export interface SequenceField extends Sequence {
  readonly kind: 'sequence';
}

/** Equal for fields whose steps are made of the same events: they can be read together. */
export function eventsKey({ measure, window }: Pick<MeasureField, 'measure' | 'window'>): string {
  return `${window.unit} ${measure.event}`;
}

/** Equal for fields whose steps are the same, however many of them each looks at. */
export function stepsKey({ measure, window }: Pick<MeasureField, 'measure' | 'window'>): string {
  return `${window.unit} ${measureKey(measure)}`;
}

/** Equal for fields that have the same value. */
export function windowKey(field: Pick<MeasureField, 'measure' | 'window'>): string {
  return `${field.window.count} ${stepsKey(field)}`;
}

/** One rule, validated. */
export interface Condition {
  readonly kind: 'condition';
  /** Where the rule stands in the request, e.g. `rules[2]`. */
  readonly path: string;
  readonly field: Field;
  readonly operator: Operator;
  readonly comparand: Comparand;
}

/** The rules of a segment, validated: what is evaluated in memory and compiled to SQL. */
export type Predicate =
  | Condition
  | { readonly kind: 'all' | 'any'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate };

/** All conditions of a predicate, in the order in which they were written. */
export function conditionsOf(predicate: Predicate): Condition[] {
  switch (predicate.kind) {
    case 'condition':
      return [predicate];
    case 'not':
      return conditionsOf(predicate.of);
    case 'all':
    case 'any':
      return predicate.of.flatMap(conditionsOf);
  }
}

/** The segments that a predicate asks about, each with the place of the rule. */
export function referencesOf(predicate: Predicate): { readonly path: string; readonly segmentId: string }[] {
  return conditionsOf(predicate)
    .filter(({ field }) => field.kind === 'segments')
    .map(({ path, comparand }) => ({ path, segmentId: textOf(comparand) }));
}

/** What a predicate looks at that does not stand in a profile. */
export interface FactNeeds {
  readonly dayCounts: readonly EventCountField[];
  /** Top-level keys of the traits of groups. */
  readonly groupTraits: readonly string[];
  readonly measures: readonly MeasureField[];
  readonly sequences: readonly SequenceField[];
}

export function factNeedsOf(predicate: Predicate): FactNeeds {
  const fields = conditionsOf(predicate).map(({ field }) => field);
  return {
    dayCounts: fields.filter((field) => field.kind === 'event_count').filter(isCountedByDay),
    groupTraits: fields.flatMap((field) =>
      field.kind === 'group_trait' ? field.paths.map(([root]) => String(root)) : [],
    ),
    measures: measuresOf(predicate),
    sequences: sequencesOf(predicate),
  };
}

/** The sequences that a predicate looks at. */
export function sequencesOf(predicate: Predicate): SequenceField[] {
  return conditionsOf(predicate).flatMap(({ field }) => (field.kind === 'sequence' ? [field] : []));
}

/** A step of a sequence is two sorts or walks over the events, where a measure is a part of one. */
const STEP_COST = 2;

/** What a predicate looks at in stored events, by keys, and what each costs: as many measures. */
export function storedEventCosts(predicate: Predicate): ReadonlyMap<string, number> {
  return new Map([
    ...measuresOf(predicate).map((field) => [stepsKey(field), 1] as const),
    ...sequencesOf(predicate).map(
      (field) => [sequenceKey(field), STEP_COST * partsOf(field).length] as const,
    ),
  ]);
}

/** How many rules look at stored events. */
export function countStoredEventRules(predicate: Predicate): number {
  return measuresOf(predicate).length + sequencesOf(predicate).length;
}

/** Unless the profile itself has the number: it keeps totals by name, and what is counted by day also has types. */
export function isCountedByDay({ type, window }: EventCountField): boolean {
  return type !== undefined || window !== undefined;
}

/** The measures that a predicate looks at. */
export function measuresOf(predicate: Predicate): MeasureField[] {
  return conditionsOf(predicate).flatMap(({ field }) => (field.kind === 'measure' ? [field] : []));
}
