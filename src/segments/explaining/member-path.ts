/**
 * Where a member stands, of what stands at a path: `rules[0].of`. Of a computed trait, which stands nowhere, it is
 * `of`.
 */
export function memberPath(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`;
}
