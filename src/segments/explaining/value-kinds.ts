import type { JsonValue } from '../../events/customer-event';
import { parseTimestamp } from '../../events/parse-timestamp';
import { listOf, valueOf } from '../../language/comparand';
import type { EventCondition } from '../../language/event-condition';
import type { Aggregate } from '../rules/measure';

/** What values are compared with, and how. */
export type Comparison = Pick<EventCondition, 'operator' | 'comparand'>;

/** What a value is, in words. */
const KIND_WORDS = {
  text: 'texts',
  date: 'dates',
  number: 'numbers',
  boolean: 'true or false',
  list: 'lists',
  object: 'objects',
} as const;
type ValueKind = keyof typeof KIND_WORDS;

/** Of null nobody knows what it stands for. */
export function kindOf(value: JsonValue): ValueKind | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return parseTimestamp(value) === undefined ? 'text' : 'date';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'object';
  }
}

/** `texts and numbers` */
export function kindWords(kinds: readonly ValueKind[]): string {
  return [...new Set(kinds)].map((kind) => KIND_WORDS[kind]).join(' and ');
}

/** Whether values of a kind are among those that are looked at. A date is a text, too. */
export function isLookedAt(kind: ValueKind, lookedAt: readonly ValueKind[]): boolean {
  return lookedAt.includes(kind) || (kind === 'date' && lookedAt.includes('text'));
}

/** What values are made into the value of an aggregate; others are left out. Undefined is any. */
export function kindsOfAggregate(aggregate: Aggregate): readonly ValueKind[] | undefined {
  switch (aggregate) {
    case 'sum':
    case 'min':
    case 'max':
    case 'avg':
      return ['number'];
    case 'first':
    case 'last':
    case 'most_frequent':
      return ['text', 'number', 'boolean'];
    case 'count':
    case 'unique':
      return undefined;
  }
}

/** Of what values a condition can be true, or its opposite, while others are all the same to it. Undefined is any. */
export function kindsOfCondition({ operator, comparand }: Comparison): readonly ValueKind[] | undefined {
  switch (operator) {
    case 'exists':
    case 'not_exists':
      return undefined;
    case 'in':
    case 'not_in':
      return kindsEqualTo(listOf(comparand));
    case 'starts_with':
    case 'ends_with':
      return ['text'];
    case 'contains':
    case 'not_contains':
      return typeof valueOf(comparand) === 'string' ? ['text', 'list'] : ['list'];
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return kindsEqualTo([valueOf(comparand)]);
  }
}

/** Values are never converted. What is compared with null may be missing, and so may be anything. */
function kindsEqualTo(values: readonly JsonValue[]): readonly ValueKind[] | undefined {
  const kinds = values.map(kindOf);
  return kinds.every((kind) => kind !== undefined) ? kinds : undefined;
}
