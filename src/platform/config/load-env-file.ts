import { existsSync } from 'node:fs';

/** Sets the variables of a file `.env` in the current folder that the environment does not have. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
