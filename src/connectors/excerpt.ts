/** What of an answer is kept with the try, and shown. */
export const EXCERPT_BYTES = 1_024;

/** The beginning of an answer, as PostgreSQL can hold it: its text has neither NUL nor half a character. */
export function excerptOf(text: string): string {
  const storable = text.slice(0, EXCERPT_BYTES).replaceAll('\u0000', '');
  return Buffer.from(storable).subarray(0, EXCERPT_BYTES).toString('utf8');
}
