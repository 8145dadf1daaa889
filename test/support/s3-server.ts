import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from '@20minutes/s3rver';

export interface TestBucket {
  /** What an `s3-export` destination needs to reach it. */
  readonly config: {
    bucket: string;
    endpoint: string;
    forcePathStyle: true;
    accessKeyId: string;
    secretAccessKey: string;
  };
  /** Makes a further, empty bucket. */
  create(name: string): void;
  keys(name?: string): string[];
  /** The key of each object that was written, as often as it was, into whatever bucket. */
  readonly written: readonly string[];
  read(key: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** The one pair of keys that the server knows. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** How the server names the file with the bytes of an object. */
const OBJECT_SUFFIX = '._S3rver_object';

/** A real S3 server (signatures checked, multipart, XML) with one empty bucket, on a free port. */
export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'cdp-test-s3-'));
  const bucket = 'customer-events';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const written: string[] = [];
  server.on('event', ({ Records }) => {
    for (const { eventName, s3 } of Records) {
      if (eventName.startsWith('ObjectCreated:')) written.push(decodeURIComponent(s3.object.key));
    }
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { ...KEYS },
  });
  return {
    config: { bucket, endpoint, forcePathStyle: true, ...KEYS },
    // As with listings below: a signed request to create a bucket is refused.
    create: (name) => mkdirSync(join(directory, name)),
    keys: (name = bucket) => objectKeys(join(directory, name)),
    written,
    read: async (key) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    close: async () => {
      client.destroy();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** From its files: the server miscalculates the signature of a signed listing. */
function objectKeys(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(OBJECT_SUFFIX))
    .map((file) => file.slice(0, -OBJECT_SUFFIX.length))
    .toSorted();
}
