import type { JsonObject, JsonValue } from '../../events/customer-event';

/**
 * The JSON Pointer of a `$ref` within its own schema, `#/$defs/money`; undefined for any other. An encoded slash,
 * `%2F`, is one here and a character of a name to ajv, so that a circle could hide behind it: there is no such
 * reference.
 */
export function pointerOf(reference: string): string | undefined {
  if ((reference !== '#' && !reference.startsWith('#/')) || /%2f/i.test(reference)) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined; // A percent sign that begins no character.
  }
}

/** What a `$ref` names; undefined when there is nothing. */
export function resolveReference(reference: string, root: JsonObject): JsonValue | undefined {
  const pointer = pointerOf(reference);
  if (pointer === undefined) return undefined;
  return pointerSegments(pointer).reduce<JsonValue | undefined>(memberOf, root);
}

/** The names in a JSON Pointer. */
export function pointerSegments(pointer: string): string[] {
  const segments = pointer.split('/').slice(1);
  return pointer.includes('~')
    ? segments.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    : segments;
}

/** The names as a JSON Pointer. */
export function toPointer(segments: readonly string[]): string {
  return segments.reduce((pointer, name) => pointerBelow(pointer, name), '');
}

/** The JSON Pointer of what is called so at another one: of a schema with many parts none is put together anew. */
export function pointerBelow(pointer: string, name: string): string {
  const escaped = /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
  return `${pointer}/${escaped}`;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
