// npm run bench -- <name> [options]: runs bench/<name>/<name>.mjs or bench/<name>.mjs.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [name, ...args] = process.argv.slice(2);
const file = name === undefined ? undefined : fileOf(name);

if (file === undefined) {
  const names = readdirSync(here)
    .map((entry) => entry.replace(/\.mjs$/, ''))
    .filter((entry) => entry !== 'run' && fileOf(entry) !== undefined);
  console.error(`Say which benchmark: npm run bench -- <${names.join(' | ')}> [--help]`);
  process.exit(2);
}
// A benchmark either runs when it is loaded or exports `run`.
const { run } = await import(file);
await run?.(args);

function fileOf(name) {
  return [join(here, name, `${name}.mjs`), join(here, `${name}.mjs`)].find(existsSync);
}
