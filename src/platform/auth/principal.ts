/** What a token may do. `cdp:write` includes `cdp:read`; `cdp:admin` includes everything. */
export const SCOPES = ['cdp:read', 'cdp:write', 'cdp:privacy', 'cdp:admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is behind a request with a valid token. */
export interface Principal {
  /** `sub` of the token. */
  readonly subject: string;
  /** The scopes of ours that the token has. */
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date;
}

/** Who changes something, for the audit. */
export interface Actor {
  readonly subject: string;
  readonly requestId: string;
}

export function mayUse(principal: Principal, scope: Scope): boolean {
  const { scopes } = principal;
  if (scopes.has(scope) || scopes.has('cdp:admin')) return true;
  return scope === 'cdp:read' && scopes.has('cdp:write');
}
