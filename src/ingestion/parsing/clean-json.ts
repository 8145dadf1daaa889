import type { JsonValue } from '../../events/customer-event';

/** What PostgreSQL stores in no text: NUL, and halves of surrogate pairs. */
const UNSTORABLE = new RegExp('\\0|\\p{Surrogate}', 'gu');
const REPLACEMENT = '\uFFFD';

/** How such characters, and `__proto__` in disguise, can look in JSON text: each of its letters may be an escape. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|005f|007[024]|006f|d[89a-f])/i;

/** Whether a JSON text may hold what {@link cleanJson} takes out. Almost none does, so the rest is spared the walk. */
export function needsCleaning(text: string): boolean {
  return (
    text.includes('__proto__') ||
    (text.includes('\\u') && SUSPICIOUS_ESCAPE.test(text)) ||
    !text.isWellFormed()
  );
}

/**
 * A copy without what does harm behind ingestion: characters that PostgreSQL cannot store become U+FFFD, and members
 * called `__proto__` are left out, for copying one to another object would change that object's prototype.
 * The depth of `value` must have been checked.
 */
export function cleanJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  const clean: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key !== '__proto__') clean[cleanText(key)] = cleanJson(member);
  }
  return clean;
}

/** A text as it is stored. */
export function cleanText(text: string): string {
  return text.replace(UNSTORABLE, REPLACEMENT);
}
