import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config';
import { BootError } from './boot-error';
import { openDataFolder } from './data-folder';
import { createFileDurably } from './durable-files';
import { missingDatabase } from './open-database';
import { errorCode } from './error-code';

const SECRETS_FILE = 'secrets.json';
const SECRET_BYTES = 32;

const developmentSecrets = z.object({ jwtSecret: z.string(), encryptionKey: z.string() });
type DevelopmentSecrets = z.infer<typeof developmentSecrets>;

/**
 * The configuration with every secret it needs. Outside production the missing ones are random and kept in
 * the data folder, readable for this user only; in production they have to be given.
 * @throws BootError that names every variable that is missing.
 */
export function withSecrets(config: Config): Config {
  const missing = missingVariables(config);
  if (missing.length > 0) throw new BootError(missing.join('\n'));
  if (config.production) return config;
  if (config.hasEncryptionKey && hasIdentityProvider(config)) return config;
  const secrets = keptSecrets(openDataFolder(config.dataDir));
  return config.withSecrets({
    encryptionKey: config.hasEncryptionKey ? undefined : secrets.encryptionKey,
    jwtSecret: hasIdentityProvider(config) ? undefined : secrets.jwtSecret,
  });
}

/** One line for each variable that is missing, so that one start names all of them. */
function missingVariables(config: Config): string[] {
  const { jwksUrl, issuer, audience } = config.tokens;
  const missing = [missingDatabase(config)].filter((line) => line !== undefined);
  if (config.production && config.knowsDestinations && !config.hasEncryptionKey) {
    missing.push(
      'CDP_ENCRYPTION_KEY is not set: production needs it to seal secrets at rest, e.g. the output of `openssl rand -hex 32`. Keep it.',
    );
  }
  const needsProvider =
    config.production &&
    config.hasRole('management') &&
    !config.tokens.needNoProvider &&
    !hasIdentityProvider(config);
  if (needsProvider) {
    missing.push(
      'CDP_JWT_JWKS_URL is not set: production needs the address of the identity provider whose tokens the Management API accepts. To begin without one: CDP_BOOTSTRAP_TOKENS=true, and `npx cdp token --bootstrap`.',
    );
  }
  if (needsProvider || jwksUrl !== undefined) {
    // Without them a token that the provider made for another service would do.
    for (const [name, value] of Object.entries({ CDP_JWT_ISSUER: issuer, CDP_JWT_AUDIENCE: audience })) {
      if (value !== undefined) continue;
      missing.push(
        `${name} is not set: CDP_JWT_JWKS_URL needs it, to tell which of its tokens are meant for us.`,
      );
    }
  }
  return missing;
}

function hasIdentityProvider({ tokens }: Config): boolean {
  return tokens.jwksUrl !== undefined || tokens.secret !== undefined;
}

function keptSecrets(dataFolder: string): DevelopmentSecrets {
  const path = join(dataFolder, SECRETS_FILE);
  if (!existsSync(path)) createSecrets(path);
  try {
    return developmentSecrets.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BootError(`${path} cannot be read as the development secrets (${String(error)}): restore it.`, {
      cause: error,
    });
  }
}

function createSecrets(path: string): void {
  const secrets: DevelopmentSecrets = { jwtSecret: randomSecret(), encryptionKey: randomSecret() };
  try {
    // This comes before anything is sealed with them. Without them, what is accepted from now on would be out of reach.
    createFileDurably(path, `${JSON.stringify(secrets, null, 2)}\n`);
  } catch (error) {
    // Another process that starts at the same time was faster: its secrets are as good.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}
