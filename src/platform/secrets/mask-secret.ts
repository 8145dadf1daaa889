/** Whether a text is what {@link maskSecret} shows, of whatever secret. */
export function isMask(text: unknown): boolean {
  return typeof text === 'string' && /^\*{4}(.{4})?$/s.test(text);
}

/** `****abcd`: the last four characters but for white space after them, and none of a secret too short to show any. */
export function maskSecret(secret: string): string {
  return secret.trimEnd().length < 12 ? '****' : `****${secret.trimEnd().slice(-4)}`;
}
