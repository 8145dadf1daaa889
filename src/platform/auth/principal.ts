/** What a token may do. `cdp:write` includes `cdp:read`; `cdp:admin` includes everything. */
export const SCOPES = ['cdp:read', 'cdp:write', 'cdp:privacy', 'cdp:admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The identity of a caller. The same name of another kind, or from another issuer, is another caller. */
export interface Identity {
  /** The name: `sub` of the token, or the client it was made for. */
  readonly subject: string;
  /**
   * What the name is of. `unknown`: the token has no subject, which only passes outside production. `service`: no
   * token, the service itself.
   */
  readonly kind: 'subject' | 'client' | 'unknown' | 'service';
  /** `iss` of the token; null where the development secret signs and names no issuer. */
  readonly issuer: string | null;
}

/** The caller of a request with a valid token. */
export interface Principal extends Identity {
  /** The scopes of ours that the token has. */
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date;
}

/** The author of a change, for the audit. */
export interface Actor extends Identity {
  readonly requestId: string;
}

export function mayUse(principal: Principal, scope: Scope): boolean {
  const { scopes } = principal;
  if (scopes.has(scope) || scopes.has('cdp:admin')) return true;
  return scope === 'cdp:read' && scopes.has('cdp:write');
}

/** The actor of a request. */
export function actorOf({ subject, kind, issuer }: Identity, requestId: string): Actor {
  return { subject, kind, issuer, requestId };
}

/** The service itself, acting because of what is named in `cause`, such as a delivery. */
export function theService(cause: string): Actor {
  return { subject: 'cdp-service', kind: 'service', issuer: null, requestId: cause };
}

/** One text per identity, for keys: no two identities share one. */
export function identityKey({ issuer, kind, subject }: Identity): string {
  return JSON.stringify([issuer, kind, subject]);
}
