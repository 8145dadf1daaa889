import { memberWords } from '../../../shared/segments/member-words';
import type { FilterDraft } from './filter-draft';

/** What the parts of a filter are called in the builder, by the members that they write. */
export const FILTER_LABELS = {
  types: 'Types of events',
  events: 'Events',
  match: 'Which conditions',
  segments: 'Segments',
} as const;

const PART = /^(\w+)(?:\[\d+\])?$/;

/**
 * Where something is in a filter, in the view that is shown: `conditions[1].operator` is `Condition 2, Operator` in the
 * builder, and called as the service does in JSON.
 */
export function filterPlaceWords(path: string, draft: FilterDraft): string {
  if (draft.view === 'json') return path;
  const [, name = ''] = PART.exec(path) ?? [];
  return isLabelled(name) ? FILTER_LABELS[name] : memberWords(path);
}

function isLabelled(name: string): name is keyof typeof FILTER_LABELS {
  return Object.hasOwn(FILTER_LABELS, name);
}
