/** `****abcd`: the last four characters, and none of a secret too short to show any. */
export function maskSecret(secret: string): string {
  return secret.length < 12 ? '****' : `****${secret.slice(-4)}`;
}
