import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of this service, as package.json has it. */
export function packageVersion(): string {
  // Three folders up, from src and from dist alike.
  const text = readFileSync(join(__dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
