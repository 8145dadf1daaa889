import { configPlaceWords, type ConfigSchema } from './config-labels';
import type { FilterDraft } from './filter/filter-draft';
import { filterPlaceWords } from './filter/filter-labels';

/** What the fields of a destination are called, by the members that they write. */
export const LABELS = {
  name: 'Name',
  type: 'Type',
  sources: 'Sources',
  filter: 'Filter',
  transformationId: 'Transformation',
  mapping: 'Mapping as JSON',
  rateLimit: 'Rate limit',
  order: 'Order',
  maxWaitSeconds: 'Waits at most',
  maxWaiting: 'Wait at most',
  notices: 'Notices',
  noticeTraits: 'Computed traits',
} as const;

/** Those that stand in a member, without what is said of which. */
const INNER: Readonly<Record<string, string>> = {
  'rateLimit.perSecond': LABELS.rateLimit,
  'order.afterwards': LABELS.order,
  'order.maxWaitSeconds': LABELS.maxWaitSeconds,
  'order.maxWaiting': LABELS.maxWaiting,
};

/**
 * What is wrong where, by the labels of the fields: `config.url` is `URL`, `filter.types[0]` is `Filter, Types of events`.
 * Undefined where there is no field for it.
 */
export function destinationPlaceWords(
  path: string,
  schema: ConfigSchema,
  filter: FilterDraft,
): string | undefined {
  if (Object.hasOwn(INNER, path)) return INNER[path];
  const [, member = '', inner = ''] = /^(\w+)\.?(.*)$/.exec(path) ?? [];
  if (member === 'config') return configPlaceWords(inner, schema);
  if (!isLabelled(member)) return undefined;
  // Which one it is of those that are ticked says nothing to who sees their names.
  const isTicked = /^\[\d+\]$/.test(inner);
  if (inner === '' || isTicked) return LABELS[member];
  return `${LABELS[member]}, ${member === 'filter' ? filterPlaceWords(inner, filter) : inner}`;
}

function isLabelled(member: string): member is keyof typeof LABELS {
  return Object.hasOwn(LABELS, member);
}
