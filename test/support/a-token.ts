import { SignJWT } from 'jose';
import type { TestService } from './test-service';

/** A token that `service` accepts, for an hour, with the given scopes (by default all). */
export function aToken(
  service: Pick<TestService, 'jwtSecret'>,
  scopes: readonly string[] = ['cdp:admin', 'cdp:privacy'],
): Promise<string> {
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('operator@example.com')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(service.jwtSecret));
}
