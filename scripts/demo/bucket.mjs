// A bucket in a real S3-compatible server, and what an analyst would read from it.
import { createRequire } from 'node:module';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');

const BUCKET = 'tea-shop-events';
/** The one pair of keys that the server knows. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
/** How the server names the file with the bytes of an object. */
const OBJECT_SUFFIX = '._S3rver_object';

export async function startBucket() {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-demo-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const root = join(directory, BUCKET);
  const fileOf = (key) => join(root, `${key}${OBJECT_SUFFIX}`);
  return {
    /** The config of an `s3-export` destination that writes here. */
    config: { bucket: BUCKET, endpoint: `http://127.0.0.1:${port}`, forcePathStyle: true, ...KEYS },
    /** Keys below a prefix. */
    keys: (prefix) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.startsWith(prefix) && file.endsWith(OBJECT_SUFFIX))
        .map((file) => file.slice(0, -OBJECT_SUFFIX.length)),
    bytes: (keys) => keys.reduce((sum, key) => sum + statSync(fileOf(key)).size, 0),
    /** The ids of all events in these objects. */
    messageIds: async (keys) =>
      (await Promise.all(keys.map((key) => idsIn(key, readFileSync(fileOf(key)))))).flat(),
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function idsIn(key, bytes) {
  if (key.endsWith('.parquet')) {
    const file = new Uint8Array(bytes).buffer;
    return (await parquetReadObjects({ file, columns: ['message_id'] })).map((row) => row.message_id);
  }
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).messageId);
}
