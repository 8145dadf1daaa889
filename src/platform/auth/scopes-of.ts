import { type Scope, SCOPES } from './principal';

type Claims = Readonly<Record<string, unknown>>;

/**
 * The scopes of ours in a token.
 * @param claim the claim that holds them, as words in a string or as an array: `scope`, `roles`, or a path such
 * as `realm_access.roles`.
 */
export function scopesOf(claims: Claims, claim: string): ReadonlySet<Scope> {
  const value = valueAt(claims, claim);
  const words: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : [];
  return new Set(SCOPES.filter((scope) => words.includes(scope)));
}

/** A claim may have dots in its own name (`https://example.com/roles`), so the whole name goes first. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Claims)[name]
          : undefined,
      claims,
    );
}
