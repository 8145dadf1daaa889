import { MAX_TOLD_CHARACTERS } from './limits';

/** The names as a path, `properties.products[3].price`; an index is one only where `event` has an array. */
export function pathOf(segments: readonly string[], event: unknown): string {
  let path = '';
  let value: unknown = event;
  for (const name of segments) {
    path += Array.isArray(value) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`;
    value = memberOf(value, name);
  }
  return shortened(path);
}

/** A path or a message, with an end: the names in it are what clients sent. */
export function shortened(text: string): string {
  return text.length <= MAX_TOLD_CHARACTERS
    ? text
    : `${text.slice(0, MAX_TOLD_CHARACTERS - 1).toWellFormed()}…`;
}

/** A path without the places in arrays: `properties.products[].price`. */
export function withoutIndexes(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

/**
 * The member that is omitted because of what is wrong at a place: the nearest one below `properties` or `traits`.
 * Elements of an array are not taken out of it, for the others would become others.
 */
export function targetAt(segments: readonly string[], event: unknown): readonly string[] | undefined {
  if (segments[0] !== 'properties' && segments[0] !== 'traits') return undefined;
  const parents: unknown[] = [];
  let value: unknown = event;
  for (const name of segments) {
    parents.push(value);
    value = memberOf(value, name);
  }
  let length = segments.length;
  while (length > 0 && Array.isArray(parents[length - 1])) length -= 1;
  return length >= 2 ? segments.slice(0, length) : undefined;
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
