import type { RuleNode } from '../../shared/segments/rule-words';

interface Segment {
  readonly rules: readonly unknown[];
}

/** The segments whose rules ask about a computed trait. */
export function segmentsThatName<Some extends Segment>(name: string, segments: readonly Some[]): Some[] {
  const asks = (node: RuleNode): boolean =>
    'rules' in node ? node.rules.some(asks) : 'field' in node && node.field === fieldOf(name);
  return segments.filter(({ rules }) => (rules as readonly RuleNode[]).some(asks));
}

interface Destination {
  readonly filter: object | null;
  readonly noticeTraits: readonly string[] | null;
}

/** What of a filter asks about something. */
interface Filter {
  readonly conditions?: readonly { readonly field: string }[];
}

/** The destinations whose filters ask about it, or that are told of its changes by name. */
export function destinationsThatName<Some extends Destination>(
  name: string,
  destinations: readonly Some[],
): Some[] {
  return destinations.filter(
    ({ filter, noticeTraits }) =>
      noticeTraits?.includes(name) === true ||
      ((filter ?? {}) as Filter).conditions?.some(({ field }) => field === fieldOf(name)),
  );
}

function fieldOf(name: string): string {
  return `computed.${name}`;
}
