import type { JsonValue } from '../../events/customer-event';

/** `1e300` has 301 digits where PostgreSQL prints it. */
const EXPONENT = /\de[+-]\d/;
const STRING_OR_EXPONENT = /"(?:[^"\\]|\\.)*"|e[+-](\d+)/g;

/** Bytes of a JSON text, without spaces, as PostgreSQL prints it: it writes numbers without an exponent. */
export function jsonBytes(json: string): number {
  const bytes = Buffer.byteLength(json);
  if (!EXPONENT.test(json)) return bytes;
  return Array.from(json.matchAll(STRING_OR_EXPONENT)).reduce(
    (sum, [, digits]) => sum + Number(digits ?? 0),
    bytes,
  );
}

/** Bytes that a member of an object takes, with what separates it from the next one; null is no member. */
export function entryBytes(key: string, value: JsonValue | undefined): number {
  return value === null || value === undefined ? 0 : jsonBytes(JSON.stringify({ [key]: value })) - 1;
}
