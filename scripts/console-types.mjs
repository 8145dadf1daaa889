// Writes the types of the Management API for the console, `console/generated/schema.d.ts`, from the service's own OpenAPI
// document. They are made, not kept: so they are always those of the code beside them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'console', 'generated', 'schema.d.ts');

execFileSync(process.execPath, [join(root, 'scripts', 'build-if-needed.mjs')], { stdio: 'inherit' });
const stamp = `// ${readFileSync(join(root, 'dist', '.source-hash'), 'utf8')}\n`;
if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) {
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { openApiDocument } = require(join(root, 'dist', 'openapi-document.js'));
  const document = await openApiDocument();
  const types = await openapiTypescript(JSON.stringify(document), { defaultNonNullable: false });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, stamp + astToString(types));
}
process.exit();
