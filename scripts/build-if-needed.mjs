// Builds dist/ when it is missing or older than the sources. A production image has dist/ and no compiler:
// then there is nothing to do.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'dist', '.source-hash');
const lockFolder = join(root, 'node_modules', '.cdp-build-lock');
const compiler = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
const inputs = ['package-lock.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];

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
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash();
}

function build() {
  process.stderr.write('Building…\n');
  const { status } = spawnSync(process.execPath, [compiler, 'build'], {
    cwd: root,
    // The standard output belongs to the program that runs next, `npm run token` for one.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error('The build failed.');
  writeFileSync(stampFile, sourceHash());
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
      if (!holderLives()) rmSync(lockFolder, { recursive: true, force: true });
      else await delay(200);
    }
  }
  try {
    work();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
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
} else if (!isBuilt()) {
  await withLock(() => {
    if (!isBuilt()) build();
  }).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
