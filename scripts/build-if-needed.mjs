// Builds dist/ when it is missing or older than the sources; `npm run build` builds always (--always). A production image
// has dist/ and no compiler: then there is nothing to do.
// The new dist/ is built beside the old one and put into its place by renaming. So a build that fails or is interrupted
// leaves the old dist/ as it was, and no reader sees half of a new one. A running service keeps what it has loaded.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const nextDist = join(root, 'dist.next');
const formerDist = join(root, 'dist.former');
const STAMP = '.source-hash';
const lockFolder = join(root, 'node_modules', '.cdp-build-lock');
const compiler = join(root, 'node_modules', 'typescript', 'package.json');
const inputs = ['package-lock.json', 'scripts/compile.mjs', 'tsconfig.json', 'tsconfig.build.json'];
const always = process.argv.includes('--always');

/** Everything the build depends on, as one hash: times change with every checkout, contents do not. */
function sourceHash() {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
    .sort();
  for (const name of [...inputs, ...sources]) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}

function isBuilt() {
  const stamp = join(dist, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash();
}

async function build() {
  // The standard output belongs to the program that runs next, `npm run token` for one.
  process.stderr.write('Building…\n');
  const hash = sourceHash();
  const { compile } = await import('./compile.mjs');
  remove(nextDist);
  compile(nextDist);
  writeFileSync(join(nextDist, STAMP), hash);
  swap();
}

/** A folder cannot be renamed over another one: for some microseconds there is no dist/. */
function swap() {
  remove(formerDist);
  if (existsSync(dist)) renameSync(dist, formerDist);
  renameSync(nextDist, dist);
  remove(formerDist);
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/** Only one process builds at a time; the lock of one that was killed does not count. */
async function withLock(work) {
  for (;;) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(join(lockFolder, 'pid'), String(process.pid));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!holderLives()) remove(lockFolder);
      else await delay(200);
    }
  }
  try {
    await work();
  } finally {
    remove(lockFolder);
  }
}

function holderLives() {
  try {
    process.kill(Number(readFileSync(join(lockFolder, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT';
  }
}

if (!existsSync(compiler) || !existsSync(join(root, 'src'))) {
  if (!existsSync(join(root, 'dist', 'main.js'))) {
    process.stderr.write(
      'There is no dist/ and no compiler: run `npm ci` (with development dependencies).\n',
    );
    process.exit(1);
  }
} else if (always || !isBuilt()) {
  await withLock(async () => {
    if (always || !isBuilt()) await build();
  }).catch((error) => {
    process.stderr.write(`The build failed.\n${error.message}\n`);
    process.exit(1);
  });
}
