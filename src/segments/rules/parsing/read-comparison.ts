import type { Comparand } from '../../../language/comparand';
import { type Operator, OPERATORS } from '../../../language/operators';
import { readComparand } from '../../../language/parse-comparand';
import type { InputProblems } from '../../../platform/http/input/input-problems';
import { comparedOf, operatorApplies, operatorsOf } from './field-operators';
import type { Field } from '../predicate';

/** An operator. What is none is told those of the field, or all where the field is wrong itself. */
export function readOperator(
  operator: unknown,
  field: Field | undefined,
  path: string,
  problems: InputProblems,
): Operator | undefined {
  const found = OPERATORS.find((one) => one === operator);
  const allowed = field === undefined ? OPERATORS : operatorsOf(field);
  return (
    found ?? problems.oneOf(allowed, operator, path, operator === undefined ? 'required' : 'unknown_operator')
  );
}

/** What the condition at `path` compares a field with, where its operator says something about such a field. */
export function readComparison(
  field: Field,
  { operator, value }: { readonly operator: Operator; readonly value: unknown },
  path: string,
  problems: InputProblems,
): Comparand | undefined {
  if (!operatorApplies(operator, field)) {
    const allowed = operatorsOf(field).join(', ');
    const message = `${operator} says nothing about ${wordsOf(field)}. Must be one of ${allowed}.`;
    return problems.fail(`${path}.operator`, 'operator_not_applicable', message);
  }
  return readComparand({ value, operator, compared: comparedOf(field) }, path, problems);
}

function wordsOf(field: Field): string {
  return field.kind === 'measure' ? `the ${field.measure.aggregate} of events` : field.kind;
}
