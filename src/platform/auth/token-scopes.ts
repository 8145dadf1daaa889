import { type Scope, SCOPES } from './principal';

/** The scopes of ours in a token: from `scope`, words in a string or an array of strings. */
export function scopesOf(claims: Readonly<Record<string, unknown>>, claim = 'scope'): ReadonlySet<Scope> {
  const value = claims[claim];
  const words: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : [];
  return new Set(SCOPES.filter((scope) => words.includes(scope)));
}
