import type { ProblemDetail } from '../problems/problem';

/** The path of a member of what is at `prefix`, or of an entry of it. */
export function joinPath(prefix: string, property: string): string {
  if (/^\d+$/.test(property)) return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}

export function unknownField(name: string, path = name): ProblemDetail {
  return { path, code: 'unknown_field', message: `${name} is not a known field` };
}
