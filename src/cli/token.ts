import { existsSync } from 'node:fs';
import { SignJWT } from 'jose';
import { BootError } from '../platform/boot/boot-error';
import { withSecrets } from '../platform/boot/development-secrets';
import { SCOPES } from '../platform/auth/principal';
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { Config } from '../platform/config/config';

const LIFETIME = '12h';

/** `npm run token`: prints a JWT for the Management API, signed with the secret of development. */
async function printToken(): Promise<void> {
  const config = Config.ofProcess();
  const isFirst = !existsSync(config.dataDir);
  const { secret, issuer, audience, jwksUrl } = withSecrets(config).tokens;
  if (secret === undefined) {
    throw new BootError(
      jwksUrl === undefined
        ? 'There is no identity provider and no CDP_JWT_SECRET: npx cdp token --bootstrap prints a token for an hour.'
        : 'Tokens come from your identity provider (CDP_JWT_JWKS_URL is set): ask it for one.',
    );
  }
  const token = new SignJWT({ scope: SCOPES.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject('developer')
    .setIssuedAt()
    .setExpirationTime(LIFETIME);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  if (isFirst && existsSync(config.dataDir)) process.stderr.write(madeSecretsIn(config.dataDir));
  process.stdout.write(`${await token.sign(Buffer.from(secret))}\n`);
}

/** The standard output is for the token alone. */
function madeSecretsIn(folder: string): string {
  return (
    `The secrets of development were made just now, in ${folder}. A service that runs already has others: ` +
    'set CDP_DATA_DIR as it is set there.\n'
  );
}

printToken().catch((error: unknown) => {
  reportBootFailure(error);
  process.exitCode = 1;
});
