/**
 * The URL that a text is, or undefined. Not `URL.canParse`: once V8 has optimized a caller, that of Node.js 20 and 22
 * calls every URL invalid that has a character between U+0080 and U+00FF.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
