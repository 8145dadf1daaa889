import { hostname, userInfo } from 'node:os';
import { signBootstrapToken } from '../platform/auth/bootstrap-token';
import { BootError } from '../platform/boot/boot-error';
import { withSecrets } from '../platform/boot/development-secrets';
import { Config } from '../platform/config/config';

/**
 * A token for the service that has the environment of this process. It names who made it, and where.
 * @throws BootError when the service would not take it.
 */
export function makeBootstrapToken(): Promise<string> {
  const config = Config.ofProcess();
  if (!config.tokens.takesBootstrap) {
    throw new BootError('CDP_BOOTSTRAP_TOKENS is false: the service takes no bootstrap tokens.');
  }
  return signBootstrapToken(encryptionKeyOf(config), `${userInfo().username}@${hostname()}`);
}

function encryptionKeyOf(config: Config): string {
  if (config.hasEncryptionKey) return config.encryptionKey;
  if (!config.production) return withSecrets(config).encryptionKey;
  throw new BootError(
    'CDP_ENCRYPTION_KEY is not set: run this on the server of the service, with its environment.',
  );
}
