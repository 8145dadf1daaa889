// Builds dist/ when it is missing or older than the sources; `npm run build` builds always (--always), the tests of the
// console its page alone (--page). A production image has dist/ and no compiler: then there is nothing to do.
// The new dist/ is built beside the old one and put into its place by renaming. So a build that fails or is interrupted
// leaves the old dist/ as it was, and no reader sees half of a new one. A running service keeps what it has loaded.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const nextDist = join(root, 'dist.next');
const formerDist = join(root, 'dist.former');
const lockFolder = join(root, 'node_modules', '.cdp-build-lock');
const compiler = join(root, 'node_modules', 'typescript', 'package.json');
/** What is built: each part into its folder of dist/, with a stamp there, the hash of what it was built from. */
const service = {
  folder: '.',
  inputs: ['package-lock.json', 'scripts/compile.mjs', 'tsconfig.json', 'tsconfig.build.json', 'src'],
  build: async (outDir) => (await import('./compile.mjs')).compile(outDir),
};
const page = {
  folder: 'page',
  inputs: [
    'package-lock.json',
    'scripts/build-page.mjs',
    'console/vite.config.mjs',
    'console/index.html',
    'console/src',
  ],
  build: async (outDir) => (await import('./build-page.mjs')).buildPage(outDir),
};
const parts = existsSync(join(root, 'console')) ? [service, page] : [service];
/** Those that have to be up to date; the others stay as they are. */
const wanted = process.argv.includes('--page') ? [page] : parts;
const always = process.argv.includes('--always');

/** Everything a part depends on, as one hash: times change with every checkout, contents do not. */
function sourceHash({ inputs }) {
  const hash = createHash('sha256');
  for (const name of inputs.flatMap(filesOf)) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}

/** The files of a folder, or a file itself. */
function filesOf(name) {
  const path = join(root, name);
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(name, file))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

function isBuilt(part) {
  const stamp = stampOf(part, dist);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(part);
}

function stampOf({ folder }, outDir) {
  return join(outDir, folder, '.source-hash');
}

async function build() {
  // The standard output belongs to the program that runs next, `npm run token` for one.
  process.stderr.write('Building…\n');
  remove(nextDist);
  for (const part of parts) {
    const outDir = join(nextDist, part.folder);
    if (wanted.includes(part) && (always || !isBuilt(part))) await buildPart(part, outDir);
    else if (existsSync(stampOf(part, dist))) copyPart(part, outDir);
  }
  swap();
}

async function buildPart(part, outDir) {
  const hash = sourceHash(part);
  await part.build(outDir);
  writeFileSync(stampOf(part, nextDist), hash);
}

/** The parts that are in folders of another part are copied by themselves. */
function copyPart({ folder }, outDir) {
  const others = parts.filter((other) => other.folder !== folder).map((other) => join(dist, other.folder));
  cpSync(join(dist, folder), outDir, { recursive: true, filter: (path) => !others.includes(path) });
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
} else if (always || !wanted.every(isBuilt)) {
  await withLock(async () => {
    if (always || !wanted.every(isBuilt)) await build();
  }).catch((error) => {
    const hint = error.code === 'ERR_MODULE_NOT_FOUND' ? 'Run `npm ci`: dependencies have changed.\n' : '';
    process.stderr.write(`The build failed.\n${error.message}\n${hint}`);
    process.exit(1);
  });
}
