import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { startBucket, type TestBucket } from '../../../test/support/s3-server';
import type { Answer, OutboundBatch, OutboundEvent } from '../connector';
import type { ConnectorContext, OutboundRequest, OutboundResponse } from '../connector-context';
import { Config } from '../../platform/config/config';
import { EgressPolicy } from '../egress/egress-policy';
import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';
import { objectKey } from './object-key';
import { loadS3 } from './s3-client';
import type { S3ExportConfig } from './s3-export.config';
import { S3ExportConnector } from './s3-export.connector';

jest.mock('./s3-client', () => {
  const actual = jest.requireActual<{ loadS3(): unknown }>('./s3-client');
  return { ...actual, loadS3: jest.fn(actual.loadS3) };
});

const config = Config.from({ NODE_ENV: 'test' });
const connector = new S3ExportConnector(new EgressPolicy(config));
let bucket: TestBucket;
// From the first client on: the AWS SDK warns once.
const warnings = jest.spyOn(process, 'emitWarning');

beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(async () => bucket.close());

describe('the S3 export', () => {
  it('writes a batch as gzipped JSON lines under a key that follows from it', async () => {
    const batch = aBatch(['{"type":"track",\n "event":"Order Completed"}', '{"type":"page"}']);
    await connector.sendBatch(batch, bucket.config, aContext());
    const key = objectKey(batch, '', 'ndjson');
    expect(key).toBe(`source=${batch.sourceId}/date=2026-11-20/hour=16/${batch.id}.ndjson.gz`);
    const lines = gunzipSync(await bucket.read(key))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'track', event: 'Order Completed' },
      { type: 'page' },
    ]);
  });

  it('prints nothing of the versions of Node.js that later versions of the AWS SDK need', async () => {
    await connector.sendBatch(aBatch(['{"type":"track","event":"a"}']), bucket.config, aContext());
    expect(warnings).not.toHaveBeenCalled();
  });

  it.each(['ndjson', 'parquet'] as const)('writes the same %s bytes on each try', async (format) => {
    const batch = aBatch(['{"type":"track","event":"a"}', '{"type":"identify","traits":{"plan":"pro"}}']);
    const key = objectKey(batch, 'p/', format);
    const tries: Buffer[] = [];
    for (let i = 0; i < 2; i++) {
      await connector.sendBatch(batch, { ...bucket.config, prefix: 'p/', format }, aContext());
      tries.push(await bucket.read(key));
    }
    expect(tries[0]?.equals(tries[1] ?? Buffer.alloc(0))).toBe(true);
  });

  it.each(['...', 'a../', '.a/', 'a/.'])('writes below the prefix %j', async (prefix) => {
    const batch = aBatch(['{}']);
    await connector.sendBatch(batch, { ...bucket.config, prefix }, aContext());
    expect(bucket.keys()).toContain(join(objectKey(batch, prefix, 'ndjson')));
  });

  it('writes Parquet that another reader reads, losing nothing', async () => {
    const event = {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      userId: 'ü-1',
      timestamp: '2026-11-20T16:00:00.123Z',
      receivedAt: '2026-11-20T16:00:01.000Z',
      properties: { amount: 12.5, items: [{ sku: 'a' }] },
      context: { locale: 'de' },
      integrations: { All: true },
    };
    const batch = aBatch([JSON.stringify(event), '{"type":"identify","timestamp":"yesterday"}']);
    await connector.sendBatch(batch, { ...bucket.config, format: 'parquet' }, aContext());
    const bytes = await bucket.read(objectKey(batch, '', 'parquet'));
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    expect(rows).toEqual([
      {
        message_id: 'm1',
        type: 'track',
        event: 'Order Completed',
        name: null,
        user_id: 'ü-1',
        anonymous_id: null,
        group_id: null,
        timestamp: new Date(event.timestamp),
        received_at: new Date(event.receivedAt),
        properties: event.properties,
        traits: null,
        context: event.context,
        other: { integrations: { All: true } },
      },
      expect.objectContaining({
        type: 'identify',
        timestamp: null,
        other: { timestamp: 'yesterday' },
      }),
    ]);
  });

  it('writes large objects in parts', async () => {
    const bodies = Array.from({ length: 16_000 }, (_, i) =>
      JSON.stringify({
        type: 'track',
        messageId: `m${i}`,
        properties: { noise: randomBytes(500).toString('base64') },
      }),
    );
    const batch = aBatch(bodies);
    const requests: string[] = [];
    await connector.sendBatch(batch, { ...bucket.config, format: 'parquet' }, aContext({ requests }));
    const rows = await parquetReadObjects({
      file: new Uint8Array(await bucket.read(objectKey(batch, '', 'parquet'))).buffer,
      columns: ['message_id'],
    });
    expect(rows).toHaveLength(16_000);
    expect(new Set(rows.map((row) => row.message_id as string)).size).toBe(16_000);
    expect(requests.some((url) => url.includes('partNumber='))).toBe(true);
  });

  it('checks access without leaving anything behind', async () => {
    const before = bucket.keys();
    await expect(connector.checkAccess(bucket.config, aContext())).resolves.toMatchObject({ status: 200 });
    expect(bucket.keys()).toEqual(before);
  });

  it.each([
    ['a bucket that is not there', { bucket: 'no-such-bucket' }, 's3_access'],
    ['a wrong key', { accessKeyId: 'nobody' }, 's3_access'],
    ['a wrong secret', { secretAccessKey: 'wrong' }, 's3_access'],
    ['nobody listening', { endpoint: 'http://127.0.0.1:1' }, 'connection'],
  ])('keeps the events for another try with %s', async (_name, change, errorClass) => {
    const changed: S3ExportConfig = { ...bucket.config, ...change };
    const failure = connector.sendBatch(aBatch(['{}']), changed, aContext());
    await expect(failure).rejects.toBeInstanceOf(RetryableDeliveryError);
    await expect(failure).rejects.toMatchObject({ errorClass });
  });

  describe('without keys in the config', () => {
    const before = process.env;
    let endpoint: Server;

    beforeEach(() => {
      const { AWS_PROFILE: _profile, ...others } = before;
      const nowhere = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_CONFIG_FILE: '/nowhere' };
      process.env = { ...others, ...nowhere, AWS_EC2_METADATA_DISABLED: 'true' };
    });
    afterEach(() => {
      process.env = before;
    });

    function sendWithoutKeys(requests: string[] = []): Promise<Answer> {
      const { accessKeyId: _id, secretAccessKey: _secret, endpoint: named, ...keyless } = bucket.config;
      // By the operator, who may send the credentials of the service wherever it is right.
      process.env.AWS_ENDPOINT_URL_S3 = named;
      // One of its own: a connector keeps the credentials that it found.
      const fresh = new S3ExportConnector(new EgressPolicy(config));
      return fresh.sendBatch(aBatch(['{}']), keyless, aContext({ requests }));
    }

    it('takes those of the environment', async () => {
      const { accessKeyId, secretAccessKey } = bucket.config;
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
      await expect(sendWithoutKeys()).resolves.toMatchObject({ status: 200 });
    });

    it('sends them to no endpoint that a destination names', async () => {
      const { accessKeyId, secretAccessKey, ...keyless } = bucket.config;
      Object.assign(process.env, {
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_SESSION_TOKEN: 'of the service',
      });
      const fresh = new S3ExportConnector(new EgressPolicy(config));
      expect(await fresh.check(keyless)).toMatchObject([{ path: 'accessKeyId', code: 'required' }]);
      expect(await fresh.check(bucket.config)).toEqual([]);
      const requests: string[] = [];
      const failures = [
        fresh.sendBatch(aBatch(['{}']), keyless, aContext({ requests })),
        fresh.checkAccess(keyless, aContext({ requests })),
      ];
      for (const failure of failures)
        await expect(failure).rejects.toMatchObject({ errorClass: 's3_access' });
      expect(requests).toEqual([]);
    });

    it('asks the metadata service of its container, which destinations may not reach', async () => {
      const asked: string[] = [];
      endpoint = createServer(({ headers }, response) => {
        asked.push(String(headers.authorization));
        const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = bucket.config;
        const Expiration = new Date(Date.now() + 3_600_000).toISOString();
        response.end(JSON.stringify({ AccessKeyId, SecretAccessKey, Token: '', Expiration }));
      }).listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/credentials`;
      Object.assign(process.env, {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: url,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of the container',
      });
      const requests: string[] = [];
      try {
        await expect(sendWithoutKeys(requests)).resolves.toMatchObject({ status: 200 });
      } finally {
        endpoint.close();
      }
      expect(asked).toEqual(['of the container']);
      // Not through the HTTP that is bound by the rules for destinations.
      expect(requests).toEqual([expect.stringContaining(bucket.config.endpoint)]);
    });

    it('takes the role of a web identity, as service accounts of Kubernetes do', async () => {
      const asked: URLSearchParams[] = [];
      endpoint = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          asked.push(new URLSearchParams(Buffer.concat(chunks).toString()));
          const { accessKeyId, secretAccessKey } = bucket.config;
          response.writeHead(200, { 'content-type': 'text/xml' }).end(
            `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
              <AssumeRoleWithWebIdentityResult><Credentials>
                <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
                <SessionToken>of the session</SessionToken>
                <Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>
              </Credentials></AssumeRoleWithWebIdentityResult>
            </AssumeRoleWithWebIdentityResponse>`,
          );
        });
      }).listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const folder = mkdtempSync(join(tmpdir(), 'cdp-test-identity-'));
      writeFileSync(join(folder, 'token'), 'of the service account');
      Object.assign(process.env, {
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/exports',
        AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
        AWS_REGION: 'eu-central-1',
        AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
      });
      try {
        await expect(sendWithoutKeys()).resolves.toMatchObject({ status: 200 });
      } finally {
        endpoint.close();
        rmSync(folder, { recursive: true });
      }
      expect(asked.map((form) => [form.get('Action'), form.get('WebIdentityToken')])).toEqual([
        ['AssumeRoleWithWebIdentity', 'of the service account'],
      ]);
    });

    it('keeps the events for another try when there are none', async () => {
      await expect(sendWithoutKeys()).rejects.toMatchObject({ errorClass: 's3_access' });
    });
  });

  describe('when the bucket misbehaves', () => {
    const LARGE = Array.from({ length: 600 }, () =>
      JSON.stringify({ type: 'track', properties: { noise: randomBytes(15_000).toString('base64') } }),
    );
    const FIRST_PART = /partNumber=1\b/;
    const SECOND_PART = /partNumber=2\b/;
    const COMPLETION = /^POST .*uploadId=/;
    const error = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

    it.each([
      ['asks to slow down', /^PUT/, 503, error('SlowDown'), 's3_error'],
      ['is in another region', /^PUT/, 301, error('PermanentRedirect'), 's3_access'],
      [
        'is in another region than signed for',
        /^PUT/,
        400,
        error('AuthorizationHeaderMalformed'),
        's3_access',
      ],
      ['finds the keys expired', /^PUT/, 400, error('ExpiredToken'), 's3_access'],
      ['denies access without saying so in XML', /^PUT/, 403, 'no', 's3_access'],
      ['sits behind a proxy that is ill', /^PUT/, 502, '<html>Bad gateway</html>', 's3_error'],
      ['is none, but a page that answers 200', /^PUT/, 200, '<html>Please log in</html>', 's3_error'],
      ['begins no upload', /^POST .*uploads/, 403, error('AccessDenied'), 's3_access'],
      ['denies access in the middle', SECOND_PART, 403, error('AccessDenied'), 's3_access'],
      ['forgets an upload', SECOND_PART, 404, error('NoSuchUpload'), 's3_error'],
      ['says 200 and means an error', COMPLETION, 200, error('InternalError'), 's3_error'],
    ])('takes nothing for written when it %s, and writes all with the next try', async (...row) => {
      const [, when, status, body, errorClass] = row;
      const isLarge = when.source !== '^PUT';
      const batch = aBatch(isLarge ? LARGE : ['{"type":"track"}']);
      const asked: string[] = [];
      const faulty = aContext({
        requests: asked,
        answer: (line) => (when.test(line) ? { status, body } : undefined),
      });
      const failure = await connector
        .sendBatch(batch, bucket.config, faulty)
        .catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(RetryableDeliveryError);
      expect(failure).toMatchObject({ errorClass });
      expect(bucket.keys()).not.toContain(objectKey(batch, '', 'ndjson'));
      await connector.sendBatch(batch, bucket.config, aContext());
      const lines = gunzipSync(await bucket.read(objectKey(batch, '', 'ndjson'))).toString();
      expect(lines.trimEnd().split('\n')).toHaveLength(batch.eventCount);
    });

    it('gives up on a store that hangs after a minute, and asks it nothing more', async () => {
      const asked: OutboundRequest[] = [];
      const context = aContext({
        answer: (line, request) => {
          asked.push(request);
          if (SECOND_PART.test(line)) throw new RetryableDeliveryError('timeout');
          return undefined;
        },
      });
      await expect(connector.sendBatch(aBatch(LARGE), bucket.config, context)).rejects.toMatchObject({
        errorClass: 'timeout',
      });
      expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual(asked.map(() => 60_000));
      expect(asked.filter(({ url }) => SECOND_PART.test(url))).toHaveLength(1);
      expect(asked.filter(({ method }) => method === 'DELETE')).toEqual([]);
    });

    it('does not take a page that answers 200 for access', async () => {
      const page = aContext({ answer: () => ({ status: 200, body: '<html>Please log in</html>' }) });
      await expect(connector.checkAccess(bucket.config, page)).rejects.toMatchObject({
        errorClass: 's3_error',
      });
    });

    it('takes parts away when the connection breaks in the middle', async () => {
      const batch = aBatch(LARGE);
      const lines: string[] = [];
      const broken = aContext({
        answer: (line) => {
          lines.push(line);
          if (SECOND_PART.test(line)) throw new RetryableDeliveryError('connection');
          return undefined;
        },
      });
      await expect(connector.sendBatch(batch, bucket.config, broken)).rejects.toMatchObject({
        errorClass: 'connection',
      });
      expect(lines.some((line) => FIRST_PART.test(line))).toBe(true);
      expect(lines.at(-1)).toMatch(/^DELETE .*uploadId=/);
    });
  });

  it('loads what it needs again after it could not', async () => {
    const fresh = new S3ExportConnector(new EgressPolicy(config));
    jest.mocked(loadS3).mockRejectedValueOnce(new Error('EMFILE'));
    await expect(fresh.sendBatch(aBatch(['{}']), bucket.config, aContext())).rejects.toThrow('EMFILE');
    await expect(fresh.sendBatch(aBatch(['{}']), bucket.config, aContext())).resolves.toEqual({
      status: 200,
    });
  });

  it('passes on that an address must not be reached', async () => {
    const refused = new PermanentDeliveryError('address_refused');
    const context = { ...aContext(), http: { request: () => Promise.reject(refused) } };
    await expect(connector.sendBatch(aBatch(['{}']), bucket.config, context)).rejects.toBe(refused);
  });

  it('stops when the try is over', async () => {
    const stop = new AbortController();
    async function* endless(): AsyncIterable<OutboundEvent> {
      for (let i = 0; ; i++) {
        if (i === 5_000) stop.abort();
        yield { deliveryId: String(i), eventType: 'track', body: JSON.stringify({ i, at: Math.random() }) };
        if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const batch = { ...aBatch([]), events: endless };
    const failure = connector.sendBatch(batch, bucket.config, aContext({ signal: stop.signal }));
    await expect(failure).rejects.toMatchObject({ errorClass: 'timeout' });
  });
});

let batches = 0;

function aBatch(bodies: readonly string[]): OutboundBatch {
  batches += 1;
  return {
    id: `01900000-0000-7000-8000-${String(batches).padStart(12, '0')}`,
    sourceId: '01900000-0000-7000-8000-0000000000aa',
    hour: '2026-11-20T16',
    eventCount: bodies.length,
    events: async function* () {
      for (const [i, body] of bodies.entries()) yield { deliveryId: String(i), eventType: 'track', body };
    },
  };
}

interface TestedContext {
  readonly signal?: AbortSignal;
  readonly requests?: string[];
  /** Answers `PUT https://…` itself, in place of the bucket. */
  readonly answer?: (line: string, request: OutboundRequest) => { status: number; body: string } | undefined;
}

function aContext({
  signal = new AbortController().signal,
  requests = [],
  answer = () => undefined,
}: TestedContext = {}): ConnectorContext {
  return {
    destinationId: 'd',
    deadline: performance.now() + 60_000,
    signal,
    logger: { info: () => undefined, warn: () => undefined },
    cursor: { get: async () => undefined, set: async () => undefined },
    connect: async () => {
      throw new Error('An export needs no socket.');
    },
    http: {
      request: async (request) => {
        requests.push(request.url);
        const faulty = answer(`${request.method} ${request.url}`, request);
        if (faulty !== undefined) return { ...faulty, headers: {}, body: Buffer.from(faulty.body) };
        return send(request, signal);
      },
    },
  };
}

async function send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
  const answer = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    body: request.body as string | undefined,
    signal,
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
