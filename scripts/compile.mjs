import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before as swaggerPlugin } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Compiles `src` into a folder beside it, as tsconfig.build.json says. The Swagger plugin adds to DTO classes what the
 * OpenAPI document shows: types and comments. Types are not checked, so that the first start is quick.
 * @param {string} outDir an absolute path; the source maps want it beside `src`
 * @throws Error with the problems of the compiler, one a line
 */
export function compile(outDir) {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile);
  throwIfAny(error === undefined ? [] : [error]);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root, { outDir });
  throwIfAny(errors);
  const program = ts.createProgram(fileNames, options);
  const plugin = swaggerPlugin({ classValidatorShim: true, introspectComments: true }, program);
  const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, { before: [plugin] });
  throwIfAny([...ts.getPreEmitDiagnostics(program), ...diagnostics]);
  makeExecutable(outDir);
}

/** The commands of the package: npm does so where it installs them, and not in a clone. */
function makeExecutable(outDir) {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of Object.values(bin)) {
    const path = join(outDir, relative('dist', file));
    if (existsSync(path)) chmodSync(path, 0o755);
  }
}

function throwIfAny(diagnostics) {
  if (diagnostics.length === 0) return;
  const host = {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostics(diagnostics, host).trimEnd());
}
