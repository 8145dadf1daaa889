import type { Dto } from '../../api/client';
import { type JsonDifference, jsonDifferences } from '../../shared/json-differences';

/** They change with everything else. */
const OF_EVERY_CHANGE: ReadonlySet<string> = new Set(['version', 'createdAt', 'updatedAt']);

/** In what a change made another of a thing; nothing where there was none before, or is none after. */
export function changesOf({ before, after }: Dto['AuditEntryDto']): JsonDifference[] {
  if (before === null || after === null) return [];
  return jsonDifferences(before, after).filter(({ path }) => !OF_EVERY_CHANGE.has(path));
}
