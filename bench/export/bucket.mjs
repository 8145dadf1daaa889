// A real S3 server in a process of its own; sends the config of an export to it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');

const bucket = 'bench';
const directory = mkdtempSync(join(tmpdir(), 'cdp-bench-s3-'));
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
process.once('SIGTERM', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
process.send({
  bucket,
  endpoint: `http://127.0.0.1:${port}`,
  forcePathStyle: true,
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
});
