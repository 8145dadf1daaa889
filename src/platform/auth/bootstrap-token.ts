import { hkdfSync, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { parseKeyRing, type SealingKey } from '../secrets/key-ring';
import { InvalidTokenError } from './refused-token';

/** The issuer of these tokens: the service itself, with the key that it has anyway. */
export const BOOTSTRAP_ISSUER = 'urn:cdp:bootstrap';
/** Tells them from every other token before a key is chosen. */
const TYPE = 'cdp-bootstrap+jwt';
const ALGORITHM = 'HS256';
const LIFETIME = '1h';
/** The purpose of the derived key: it opens nothing that `CDP_ENCRYPTION_KEY` seals. */
const KEY_INFO = 'cdp bootstrap token';
const KEY_BYTES = 32;

/** A token with `cdp:admin` for an hour. @param encryptionKey `CDP_ENCRYPTION_KEY` of the service that is to take it */
export function signBootstrapToken(encryptionKey: string, subject: string): Promise<string> {
  const [key] = parseKeyRing(encryptionKey);
  return new SignJWT({ scope: 'cdp:admin' })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.id })
    .setIssuer(BOOTSTRAP_ISSUER)
    .setAudience(BOOTSTRAP_ISSUER)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(derivedKey(key));
}

/** Whether a token claims to be one. This proves nothing. */
export function isBootstrapToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE;
  } catch {
    return false; // This is no token at all. The verifier says so.
  }
}

/** @returns its claims. @throws InvalidTokenError, or jose's errors. */
export async function verifyBootstrapToken(token: string, encryptionKey: string): Promise<JWTPayload> {
  const keys = parseKeyRing(encryptionKey);
  const { payload } = await jwtVerify(
    token,
    ({ kid }) => {
      const key = keys.find(({ id }) => id === kid);
      if (key === undefined) throw new InvalidTokenError('key', 'made with another CDP_ENCRYPTION_KEY');
      return derivedKey(key);
    },
    {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: BOOTSTRAP_ISSUER,
      audience: BOOTSTRAP_ISSUER,
      maxTokenAge: LIFETIME,
      requiredClaims: ['exp', 'jti', 'sub'],
    },
  );
  return payload;
}

function derivedKey({ bytes }: SealingKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', bytes, '', KEY_INFO, KEY_BYTES));
}
