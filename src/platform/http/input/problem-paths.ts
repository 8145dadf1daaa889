import type { ProblemDetail } from '../problems/problem';

/** The path of a member of what is at `prefix`, or of an entry of it. */
export function joinPath(prefix: string, property: string): string {
  if (/^\d+$/.test(property)) return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}

/** More are looked up in the documentation rather than in a message. */
const MAX_NAMED = 20;

/** @param known the members that there are, where they are to be named */
export function unknownField(name: string, path = name, known: readonly string[] = []): ProblemDetail {
  const there = known.length === 0 || known.length > MAX_NAMED ? '' : `; known are ${known.join(', ')}`;
  return { path, code: 'unknown_field', message: `${name} is not a known field${there}` };
}
