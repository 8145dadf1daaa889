import { FIELD_WORDS, OPERATOR_WORDS } from '../../../shared/segments/language-words';

/** What a rule can look at. */
export type FieldKind = keyof typeof FIELD_WORDS;
export const FIELD_KINDS = Object.keys(FIELD_WORDS) as FieldKind[];

export type Operator = keyof typeof OPERATOR_WORDS;

const ALL = Object.keys(OPERATOR_WORDS) as Operator[];
const ORDER: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];

/** The operators that say something about a kind of field; the service has the same table. */
export const OPERATORS_OF: Readonly<Record<FieldKind, readonly Operator[]>> = {
  trait: ALL,
  group_trait: ALL,
  event_count: [...ORDER, 'in', 'not_in'],
  first_seen: ORDER,
  last_seen: ORDER,
  groups: ['contains', 'not_contains', 'exists', 'not_exists'],
  segments: ['contains', 'not_contains'],
};

/** How many values an operator compares with. */
export function arityOf(operator: Operator): 'none' | 'one' | 'many' {
  if (operator === 'exists' || operator === 'not_exists') return 'none';
  return operator === 'in' || operator === 'not_in' ? 'many' : 'one';
}

/** How a value is written. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'null' | 'json';

export const VALUE_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'Text or date',
  number: 'Number',
  boolean: 'Yes or no',
  null: 'Nothing',
  json: 'List or object (JSON)',
};

/** What a field can be compared with by an operator; the first is where one begins. */
export function valueKindsOf(kind: FieldKind, operator: Operator): readonly ValueKind[] {
  if (kind === 'event_count') return ['number'];
  if (kind !== 'trait' && kind !== 'group_trait') return ['text'];
  switch (operator) {
    case 'starts_with':
    case 'ends_with':
      return ['text'];
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ['text', 'number'];
    case 'contains':
    case 'not_contains':
      return ['text', 'number', 'boolean', 'json'];
    default:
      return ['text', 'number', 'boolean', 'null', 'json'];
  }
}
