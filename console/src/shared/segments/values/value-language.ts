import { OPERATOR_WORDS } from '../language-words';

export type Operator = keyof typeof OPERATOR_WORDS;

/** What the values are that are compared; the service calls them so, too. */
export type Compared = 'anything' | 'number' | 'time' | 'group' | 'segment';

const ALL = Object.keys(OPERATOR_WORDS) as Operator[];
const ORDER: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];

/** The operators that say something about such values; the service has the same table. */
export const OPERATORS_OF: Readonly<Record<Compared, readonly Operator[]>> = {
  anything: ALL,
  number: [...ORDER, 'in', 'not_in'],
  time: ORDER,
  group: ['contains', 'not_contains', 'exists', 'not_exists'],
  segment: ['contains', 'not_contains'],
};

/** The operator that one begins with: hardly anybody looks for a sum or a number of events that is exactly so much. */
export function firstOperator(compared: Compared): Operator {
  return compared === 'number' ? 'gte' : (OPERATORS_OF[compared][0] ?? 'eq');
}

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

/** How what an operator compares with can be written; the first is where one begins. */
export function valueKindsOf(compared: Compared, operator: Operator): readonly ValueKind[] {
  if (compared === 'number') return ['number'];
  if (compared !== 'anything') return ['text'];
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
