import { segmentsWithRule } from '../../shared/segments/with-rule';

/** The segments whose rules ask about another one. */
export function segmentsThatAsk<Some extends { readonly rules: readonly unknown[] }>(
  id: string,
  segments: readonly Some[],
): Some[] {
  return segmentsWithRule(
    segments,
    (rule) => 'field' in rule && rule.field === 'segments' && isId(rule.value, id),
  );
}

/** What of a filter asks about segments. */
interface Filter {
  readonly segments?: readonly unknown[];
}

/** The destinations whose filters ask about it. */
export function destinationsThatAsk<Some extends { readonly filter: object | null }>(
  id: string,
  destinations: readonly Some[],
): Some[] {
  return destinations.filter(({ filter }) =>
    ((filter ?? {}) as Filter).segments?.some((asked) => isId(asked, id)),
  );
}

/** People may have written it in capitals. */
function isId(value: unknown, id: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === id;
}
