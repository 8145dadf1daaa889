import { segmentsWithRule } from '../../shared/segments/with-rule';

interface Segment {
  readonly rules: readonly unknown[];
}

/** The segments whose rules ask about a computed trait. */
export function segmentsThatName<Some extends Segment>(name: string, segments: readonly Some[]): Some[] {
  return segmentsWithRule(segments, (rule) => 'field' in rule && rule.field === fieldOf(name));
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
