import { type Operator, OPERATORS } from '../../../language/operators';
import type { Compared } from '../../../language/parse-comparand';
import { isOfEvent } from '../measure';
import type { Field } from '../predicate';

const COUNT_OPERATORS: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in'];

/** Whether an operator can ever be true of a kind of field. */
export function operatorApplies(operator: Operator, field: Field): boolean {
  return operatorsOf(field).includes(operator);
}

/** The operators that can ever be true of a kind of field; `docs/segments.md` has the table. */
export function operatorsOf(field: Field): readonly Operator[] {
  switch (field.kind) {
    case 'trait':
    case 'group_trait':
      return OPERATORS;
    case 'groups':
      return ['contains', 'not_contains', 'exists', 'not_exists'];
    case 'segments':
      return ['contains', 'not_contains'];
    case 'event_count':
      return COUNT_OPERATORS;
    case 'measure':
      return isOfEvent(field.measure) ? OPERATORS : COUNT_OPERATORS;
    case 'sequence':
      return ['exists'];
    case 'first_seen':
    case 'last_seen':
      return ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];
  }
}

/** What the values of a field are. */
export function comparedOf(field: Field): Compared {
  switch (field.kind) {
    case 'trait':
    case 'group_trait':
      return 'anything';
    case 'groups':
      return 'group';
    case 'segments':
      return 'segment';
    case 'event_count':
      return 'number';
    case 'measure':
      return isOfEvent(field.measure) ? 'anything' : 'number';
    case 'sequence':
      return 'anything';
    case 'first_seen':
    case 'last_seen':
      return 'time';
  }
}
