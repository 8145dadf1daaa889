import { parseUrl } from '../http/input/parse-url';
import { InvalidConfigError } from './invalid-config-error';
import { loadEnvFile } from './load-env-file';

/** What the `cdp` command takes from its environment. */
export interface ClientEnvironment {
  /** The address of the service, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** The value that a reference such as `${env:NAME}` stands for. */
  lookUp(name: string): string | undefined;
}

/**
 * From the environment of the process, and a file `.env` in the current folder for what is not set there.
 * @throws InvalidConfigError that names the variable that is missing or wrong.
 */
export function clientEnvironment(): ClientEnvironment {
  loadEnvFile();
  const { NODE_ENV = 'development', PORT = '3000', CDP_TOKEN } = process.env;
  const { CDP_URL = NODE_ENV === 'development' ? `http://localhost:${PORT}` : '' } = process.env;
  if (parseUrl(CDP_URL) === undefined || !/^https?:/.test(CDP_URL)) {
    throw new InvalidConfigError(
      'CDP_URL: set it to the address of the service, such as https://cdp.example.com',
    );
  }
  if (CDP_TOKEN === undefined || CDP_TOKEN === '') {
    throw new InvalidConfigError(
      'CDP_TOKEN: set it to a token of your identity provider with the scope cdp:write, or cdp:read to look only ' +
        '(docs/identity-providers.md); in development: export CDP_TOKEN=$(npm run -s token)',
    );
  }
  return { url: CDP_URL.replace(/\/+$/, ''), token: CDP_TOKEN, lookUp: (name) => process.env[name] };
}
