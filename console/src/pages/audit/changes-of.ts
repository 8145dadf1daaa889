import type { Dto } from '../../api/client';
import { isObject, type JsonDifference, jsonDifferences } from '../../shared/json-differences';

/** They change with everything else. */
const OF_EVERY_CHANGE: ReadonlySet<string> = new Set(['version', 'createdAt', 'updatedAt']);

/** In what a change made another of a thing; nothing where there was none before, or is none after. */
export function changesOf({ before, after }: Dto['AuditEntryDto']): JsonDifference[] {
  if (before === null || after === null) return [];
  return jsonDifferences(before, after).filter(({ path }) => !OF_EVERY_CHANGE.has(path));
}

/** The row says it already, or it says nothing to people. */
const NOT_TOLD: ReadonlySet<string> = new Set([...OF_EVERY_CHANGE, 'id', 'name']);

/** What is known of a thing that is there only since: `type "webhook"`; of what is more than a word its name alone. */
export function saysOf({ before, after }: Dto['AuditEntryDto']): string[] {
  if (before !== null || !isObject(after)) return [];
  return Object.entries(after)
    .filter(([name, value]) => !NOT_TOLD.has(name) && !isEmpty(value))
    .map(([name, value]) => (typeof value === 'object' ? name : `${name} ${JSON.stringify(value)}`));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
