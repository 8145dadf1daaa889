// npm run bench -- <name> [options]: runs bench/<name>/<name>.mjs.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [name, ...args] = process.argv.slice(2);
const file = join(here, name ?? '', `${name}.mjs`);

if (name === undefined || !existsSync(file)) {
  const names = readdirSync(here).filter((entry) => existsSync(join(here, entry, `${entry}.mjs`)));
  console.error(`Say which benchmark: npm run bench -- <${names.join(' | ')}> [--help]`);
  process.exit(2);
}
const { run } = await import(file);
await run(args);
