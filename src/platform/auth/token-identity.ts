import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Identity } from './principal';

/** Longer than any name of a provider; the audit keeps it. */
const MAX_NAME_LENGTH = 500;

/**
 * The owner of a token: `sub`, or the client for the tokens of machines, which have no `sub`.
 * @returns undefined when the token has no subject.
 */
export function identityOf(claims: JWTPayload): Identity | undefined {
  const issuer = claims.iss ?? null;
  if (isName(claims.sub)) return { subject: claims.sub, kind: 'subject', issuer };
  const client = [claims.client_id, claims.azp].find(isName);
  return client === undefined ? undefined : { subject: client, kind: 'client', issuer };
}

/** Stands for the owner of a token without a subject. Each such token counts as another caller. */
export function namelessIdentity(token: string, claims: JWTPayload): Identity {
  const fingerprint = createHash('sha256').update(token).digest('hex').slice(0, 16);
  return { subject: `token ${fingerprint}`, kind: 'unknown', issuer: claims.iss ?? null };
}

/** PostgreSQL takes no NUL in a text. */
function isName(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= MAX_NAME_LENGTH && !claim.includes('\0')
  );
}
