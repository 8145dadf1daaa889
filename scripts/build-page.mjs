import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Builds the web page of `console/` into a folder. Types are not checked, so that the first start is quick.
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
}
