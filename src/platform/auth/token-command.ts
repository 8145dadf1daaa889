import { sep } from 'node:path';
import type { Config } from '../config/config';
import { DEFAULT_DATA_DIR } from '../config/sections/store';

/** Who installed the service as a package has its commands, and none of its scripts of npm. */
const IS_INSTALLED = __dirname.split(sep).includes('node_modules');

/**
 * What prints a token that this service takes: `npm run token`, or `npx cdp token --bootstrap` where its tokens are
 * refused, beside the keys of an identity provider and in production, and where there is no such script. At a desk it
 * is for another terminal, where nothing says which data folder this service was given: without it the token is of
 * other secrets.
 * @returns undefined where only the identity provider has tokens.
 */
export function tokenCommand({ dataDir, production, tokens }: Config): string | undefined {
  const takesSecret = tokens.jwksUrl === undefined && (tokens.secret !== undefined || !production);
  if (!takesSecret && !tokens.takesBootstrap) return undefined;
  const bootstraps = tokens.takesBootstrap && (IS_INSTALLED || !takesSecret);
  const command = bootstraps ? 'npx cdp token --bootstrap' : 'npm run token';
  if (production || dataDir === DEFAULT_DATA_DIR) return command;
  const folder = /^[\w./@+-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", `'\\''`)}'`;
  return `CDP_DATA_DIR=${folder} ${command}`;
}
