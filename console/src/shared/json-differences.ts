import { type NamedRule, rulesByName } from './rules-by-name';

type JsonObject = Readonly<Record<string, unknown>>;

/** A value that is not the same in two documents. */
export interface JsonDifference {
  /** `config.url`, `rules[0].value`, `rules[track Paid].schema`; a name that would be read as more than one is quoted: `mapping["a.b"]`. */
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * In what two JSON values differ, member by member. Rules of tracking plans are compared by their names, items of other
 * lists by their places, once those are left out that both begin and end with.
 */
export function jsonDifferences(before: unknown, after: unknown, path = ''): JsonDifference[] {
  if (areSame(before, after)) return [];
  if (isObject(before) && isObject(after))
    return namesIn(before, after).flatMap((name) =>
      jsonDifferences(memberOf(before, name), memberOf(after, name), memberPath(path, name)),
    );
  if (isRules(before) && isRules(after)) return ruleDifferences(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return itemDifferences(before, after, path);
  return [{ path, before, after }];
}

/** Objects are, that say the same in whatever order. */
export function areSame(one: unknown, other: unknown): boolean {
  return sortedText(one) === sortedText(other);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of the members of both, each once. */
export function namesIn(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function isRules(value: unknown): value is readonly NamedRule[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && 'type' in item && 'schema' in item);
}

/** Of the same rules in another order it is told by their places. */
function ruleDifferences(
  before: readonly NamedRule[],
  after: readonly NamedRule[],
  path: string,
): JsonDifference[] {
  const [old, now] = [rulesByName(before), rulesByName(after)];
  const differences = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) =>
    jsonDifferences(old.get(name), now.get(name), `${path}[${name}]`),
  );
  return differences.length > 0 ? differences : itemDifferences(before, after, path);
}

function itemDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): JsonDifference[] {
  const start = countSame(before, after);
  const end = countSame(before.slice(start).toReversed(), after.slice(start).toReversed());
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) =>
    jsonDifferences(old[index], now[index], `${path}[${start + index}]`),
  ).flat();
}

/** How many items both begin with. */
function countSame(before: readonly unknown[], after: readonly unknown[]): number {
  const different = before.findIndex((item, index) => index >= after.length || !areSame(item, after[index]));
  return different === -1 ? before.length : different;
}

function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function memberPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function sortedText(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
