import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Builds the web page of `console/` into a folder, each file compressed as it is sent: `index.html.gz`. Types are not
 * checked, so that the first start is quick.
 * @param {string} outDir an absolute path
 * @throws Error with the problems of the build
 */
export async function buildPage(outDir) {
  // Whoever builds it, a test too: else the page would have the libraries as their developers run them.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: join(root, 'console', 'vite.config.mjs'),
    root: join(root, 'console'),
    // The standard output belongs to the program that runs next.
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) compress(join(entry.parentPath, entry.name));
}

function compress(path) {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }));
  rmSync(path);
}
