import type { JsonValue } from '../../events/customer-event';
import { stringifyExactly } from '../../events/exact-json';

/** More of them nobody reads. */
const MAX_CHANGES = 200;
/** What lies deeper, or under longer names, is compared as a whole: paths would outgrow what they lead to. */
const MAX_PATH_LENGTH = 500;

/** One member that is different. */
interface JsonChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** JSON pointer (RFC 6901); empty for the whole. */
  readonly path: string;
  /** Undefined when it was added. */
  readonly before?: JsonValue;
  /** Undefined when it was removed. */
  readonly after?: JsonValue;
}

/**
 * What is different, member by member, items of arrays by their place; 200 changes at most. Numbers are the same when
 * they have the same digits; the order of members says nothing.
 */
export function diffJson(before: JsonValue, after: JsonValue): JsonChange[] {
  const changes: JsonChange[] = [];
  collectChanges({ path: '', before, after }, changes);
  return changes;
}

interface Pair {
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function collectChanges({ path, before, after }: Pair, changes: JsonChange[]): void {
  if (before === after || changes.length === MAX_CHANGES) return;
  if (before === undefined) changes.push({ kind: 'added', path, after });
  else if (after === undefined) changes.push({ kind: 'removed', path, before });
  else if (areAlike(before, after) && path.length < MAX_PATH_LENGTH)
    for (const pair of pairsOf(before, after, path)) collectChanges(pair, changes);
  else if (stringifyExactly(before) !== stringifyExactly(after))
    changes.push({ kind: 'changed', path, before, after });
}

type Members = Readonly<Record<string, JsonValue>>;

/** Both objects, or both arrays. */
function areAlike(before: JsonValue, after: JsonValue): boolean {
  const areObjects = [before, after].every((value) => typeof value === 'object' && value !== null);
  return areObjects && Array.isArray(before) === Array.isArray(after);
}

function pairsOf(before: JsonValue, after: JsonValue, path: string): Pair[] {
  const [old, now] = [before as Members, after as Members];
  const names = [...Object.keys(old), ...Object.keys(now).filter((name) => !Object.hasOwn(old, name))];
  return names.map((name) => ({
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    before: Object.hasOwn(old, name) ? old[name] : undefined,
    after: Object.hasOwn(now, name) ? now[name] : undefined,
  }));
}
