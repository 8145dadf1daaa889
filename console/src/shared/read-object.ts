/** An object that somebody writes as JSON; null where nothing is written. */
type ReadObject = Record<string, unknown> | null | 'no_object';

export function readObject(text: string): ReadObject {
  if (text.trim() === '') return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && !Array.isArray(read)) return read as Record<string, unknown> | null;
  } catch {
    // It is still being written.
  }
  return 'no_object';
}

/** The other way round, to be edited. */
export function objectText(value: object | null): string {
  return value === null ? '' : JSON.stringify(value, undefined, 2);
}
