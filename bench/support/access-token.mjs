// What the Management API of a benchmark's service is asked with.
import { SignJWT } from 'jose';

/** A token with one scope, `cdp:admin` unless told otherwise, signed with the service's `CDP_JWT_SECRET`. */
export function accessToken(secret, scope = 'cdp:admin') {
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('bench')
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(Buffer.from(secret));
}
