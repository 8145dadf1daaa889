import type { JWTHeaderParameters, JWTPayload } from 'jose';

/**
 * The values of `typ` in the header of an access token: that of RFC 9068, and those of providers that do not follow it.
 */
const ACCESS_TOKEN_TYPES = new Set(['at+jwt', 'jwt']);
/** Claims that only ID tokens have (OpenID Connect Core, sections 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash'];
/** What Keycloak puts into the claim `typ` of tokens that are no access tokens. */
const OTHER_TYPES_OF_KEYCLOAK = new Set(['id', 'refresh', 'offline', 'logout']);
/** The claim of OpenID Connect's logout tokens, and of security events. */
const EVENTS_CLAIM = 'events';

/**
 * What a token is, when its provider marks it as something else than an access token: the same key signs ID tokens
 * and logout tokens, some of them for the same audience.
 * @returns the mark, or undefined when there is none.
 */
export function markOfOtherToken(header: JWTHeaderParameters, claims: JWTPayload): string | undefined {
  const type = header.typ?.toLowerCase().replace(/^application\//, '');
  if (type !== undefined && !ACCESS_TOKEN_TYPES.has(type)) return `the header typ ${type}`;
  if (EVENTS_CLAIM in claims) return `the claim ${EVENTS_CLAIM}`;
  const typ = textOf(claims.typ);
  if (typ !== undefined && OTHER_TYPES_OF_KEYCLOAK.has(typ)) return `the claim typ ${typ}`;
  // Amazon Cognito.
  const use = textOf(claims.token_use);
  if (use !== undefined && use !== 'access') return `the claim token_use ${use}`;
  const idTokenClaim = ID_TOKEN_CLAIMS.find((name) => name in claims);
  if (idTokenClaim !== undefined) return `the claim ${idTokenClaim}`;
  // Keycloak before 25 repeats the nonce of a login in the access token, which says what it is.
  const isMarkedAsAccess = type === 'at+jwt' || typ === 'bearer' || use === 'access';
  return 'nonce' in claims && !isMarkedAsAccess ? 'the claim nonce' : undefined;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' ? claim.toLowerCase() : undefined;
}
