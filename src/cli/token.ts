import { SignJWT } from 'jose';
import { BootError } from '../platform/boot/boot-error';
import { withSecrets } from '../platform/boot/development-secrets';
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { Config } from '../platform/config/config';

const SCOPE = 'cdp:read cdp:write cdp:privacy cdp:admin';
const LIFETIME = '12h';

/** `npm run token`: prints a JWT for the Management API, signed with the secret of development. */
async function printToken(): Promise<void> {
  const { env } = withSecrets(Config.ofProcess());
  if (env.CDP_JWT_SECRET === undefined) {
    throw new BootError('Tokens come from your identity provider (CDP_JWT_JWKS_URL is set): ask it for one.');
  }
  const token = new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject('developer')
    .setIssuedAt()
    .setExpirationTime(LIFETIME);
  if (env.CDP_JWT_ISSUER !== undefined) token.setIssuer(env.CDP_JWT_ISSUER);
  if (env.CDP_JWT_AUDIENCE !== undefined) token.setAudience(env.CDP_JWT_AUDIENCE);
  process.stdout.write(`${await token.sign(Buffer.from(env.CDP_JWT_SECRET))}\n`);
}

printToken().catch((error: unknown) => {
  reportBootFailure(error);
  process.exitCode = 1;
});
