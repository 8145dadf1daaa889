// npm run bench [-- --quick]: all benchmarks, one table, one file, one chart. --quick takes some five minutes.
// npm run bench -- <name> [options]: one of them, bench/<name>/<name>.mjs or bench/<name>.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeFigures } from './support/figures.mjs';
import { report } from './support/report.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** What a run without a name runs, and how when it has to be quick. */
const ALL = {
  ingest: ['--sizes', '1,20', '--seconds', '5', '--warmup', '2', '--only-max'],
  profiles: ['process', '--events', '20000', '--rounds', '1'],
  segments: ['compute', '--profiles', '100000'],
  delivery: ['--only', 'throughput', '--total', '15000', '--rounds', '1'],
  'whole-path': ['--rates', '500,2000', '--sizes', '1,20', '--seconds', '5', '--warmup', '2'],
};

const [first, ...rest] = process.argv.slice(2);
if (first === undefined || first === '--quick') await runAll(first === '--quick');
else if (fileOf(first) === undefined) explain();
else if (rest.includes('--help')) console.log(headOf(fileOf(first)));
else await runOne(first, rest);

async function runAll(quick) {
  const startedAt = Date.now();
  const figures = [];
  const failed = [];
  for (const [index, [name, quickly]] of Object.entries(ALL).entries()) {
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
    console.log(`\n[${index + 1}/${Object.keys(ALL).length}] ${name}, after ${minutes} min`);
    try {
      await measure(name, quick ? quickly : []);
    } catch (error) {
      // The others are worth having all the same.
      failed.push(name);
      console.error(error);
    }
    figures.push(...takeFigures());
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  report(quick ? 'all-quick' : 'all', figures, { seconds, failed });
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function runOne(name, args) {
  const startedAt = Date.now();
  await measure(name, args);
  const figures = takeFigures();
  if (figures.length > 0)
    report(name, figures, { args, seconds: Math.round((Date.now() - startedAt) / 1000) });
}

/** A benchmark either runs when it is loaded or exports `run`. */
async function measure(name, args) {
  const { run } = await import(fileOf(name));
  await run?.(args);
}

function fileOf(name) {
  return [join(here, name, `${name}.mjs`), join(here, `${name}.mjs`)].find(existsSync);
}

/** What a benchmark says of itself and its options, in the comment that it begins with. */
function headOf(file) {
  const lines = readFileSync(file, 'utf8').replace('// @ts-check\n', '').split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  return head.map((line) => line.replace(/^\/\/ ?/, '')).join('\n');
}

function explain() {
  const names = readdirSync(here)
    .map((entry) => entry.replace(/\.mjs$/, ''))
    .filter((entry) => entry !== 'run' && fileOf(entry) !== undefined);
  console.error(`Say which benchmark: npm run bench -- <${names.join(' | ')}> [--help], or nothing for all`);
  process.exitCode = 2;
}
