import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { Agent, request } from 'undici';
import { Database } from '../../src/platform/database/database';
import { aSource } from '../support/a-source';
import { anyEvent } from '../support/arbitrary-event';
import { startTestService, type TestService } from '../support/test-service';

/** More with `npm run fuzz -- --requests 100000`. */
const REQUESTS = Number(process.env.CDP_FUZZ_REQUESTS ?? 1_000);
const SEED = Number(process.env.CDP_FUZZ_SEED ?? Date.now() % 2 ** 31);
const CONCURRENCY = 16;
const CHUNK = 500;

interface FuzzRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** messageIds that are certain to be stored when the answer is 200: the body was left intact. */
  readonly intact: boolean;
  readonly events: readonly Record<string, unknown>[];
}

const validEvent = fc
  .record({ messageId: fc.uuid(), userId: fc.string({ minLength: 1, maxLength: 10 }) })
  .map((ids) => ({ type: 'track', event: 'e', timestamp: '2026-11-20T12:00:00Z', ...ids }));

const batchPaths = [
  '/v1/batch',
  '/v1/import',
  '/v1/b',
  '/v1/batch/',
  '/beacon/v1/batch',
  '/v1/batch?strict=true',
];
const singlePaths = [
  '/v1/track',
  '/v1/i',
  '/v1/p/',
  '/v1/screen',
  '/v1/g',
  '/v1/alias',
  '/v1/m',
  '/v1/nonsense',
];

/** Breaks the bytes of a body: one replaced, some cut off, some doubled, or a nasty text put in. */
const damage: fc.Arbitrary<(body: Buffer) => Buffer> = fc
  .record({
    kind: fc.constantFrom('none', 'none', 'none', 'byte', 'cut', 'double', 'insert'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.integer({ min: 0, max: 255 }),
    text: fc.constantFrom(
      '\\u0000',
      '\\ud800',
      '"__proto__":{"a":1},',
      '[[[[[[[[',
      '1e999',
      '\u0000',
      '\ufeff',
      '}',
      'null',
    ),
  })
  .map(({ kind, at, byte, text }) => (body: Buffer): Buffer => {
    const position = Math.floor(at * body.length);
    const [head, tail] = [body.subarray(0, position), body.subarray(position)];
    if (kind === 'byte') return Buffer.concat([head, Buffer.from([byte]), tail.subarray(1)]);
    if (kind === 'cut') return head;
    if (kind === 'double') return Buffer.concat([body, tail]);
    return kind === 'insert' ? Buffer.concat([head, Buffer.from(text), tail]) : body;
  });

const anyRequest = (authorization: string): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      events: fc.array(fc.oneof({ weight: 3, arbitrary: validEvent }, anyEvent), { maxLength: 8 }),
      batch: fc.boolean(),
      path: fc.integer({ min: 0, max: 100 }),
      sentAt: fc.constantFrom(undefined, null, '', 'x', '2026-11-20T12:00:00Z', '0001-01-01T00:00:00Z', 5),
      contentType: fc.constantFrom(
        'application/json',
        'text/plain',
        '',
        ';;;',
        'application/x-www-form-urlencoded',
        'text/xml',
      ),
      encoding: fc.constantFrom('', '', '', 'gzip', 'false gzip', 'br2'),
      damage,
      authorized: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ events, batch, path, sentAt, contentType, encoding, damage: breakBody, authorized }) => {
      const paths = batch ? batchPaths : singlePaths;
      const plain = Buffer.from(JSON.stringify(batch ? { batch: events, sentAt } : (events[0] ?? {})));
      const broken = breakBody(plain);
      return {
        path: paths[path % paths.length] ?? '/v1/batch',
        headers: {
          ...(authorized === 0 ? {} : { authorization }),
          ...(contentType === '' ? {} : { 'content-type': contentType }),
          ...(encoding === '' ? {} : { 'content-encoding': encoding.replace('false ', '') }),
        },
        body: encoding === 'gzip' ? gzipSync(broken) : broken,
        intact: batch && broken.equals(plain),
        events,
      };
    });

function countEach(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

describe('the Events API under mutated requests', () => {
  let service: TestService;
  let agent: Agent;
  beforeAll(async () => {
    service = await startTestService({ env: { CDP_ROLES: 'events', CDP_LOG_LEVEL: 'error' } });
    agent = new Agent({ connections: CONCURRENCY });
  });
  afterAll(async () => {
    await agent.close();
    await service.close();
  });

  it(
    `answers none of ${REQUESTS} with 5xx and stores every accepted event exactly once (seed ${SEED})`,
    async () => {
      const { writeKey } = await aSource(service.databaseUrl);
      const arbitrary = anyRequest(`Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`);
      const failures: string[] = [];
      const promised = new Set<string>();
      let accepted = 0;

      const send = async (fuzz: FuzzRequest): Promise<void> => {
        const { statusCode, body } = await request(`${service.url}${fuzz.path}`, {
          method: 'POST',
          headers: fuzz.headers,
          body: fuzz.body,
          dispatcher: agent,
        });
        const answer = (await body.json()) as { accepted?: number; code?: string };
        accepted += answer.accepted ?? 0;
        if (statusCode >= 500)
          failures.push(`${statusCode} ${answer.code}: ${fuzz.path} ${fuzz.body.toString()}`);
        if (statusCode !== 200 || !fuzz.intact) return;
        for (const { messageId } of fuzz.events) promised.add(String(messageId));
      };

      for (let sent = 0; sent < REQUESTS; sent += CHUNK) {
        const requests = fc.sample(arbitrary, {
          numRuns: Math.min(CHUNK, REQUESTS - sent),
          seed: SEED + sent,
        });
        const next = requests.values();
        const sender = async (): Promise<void> => {
          for (const fuzz of next) await send(fuzz);
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, sender));
      }

      expect(failures).toEqual([]);
      const rows = await service.app
        .get(Database)
        .query<{ id: string }>(`select payload->>'messageId' as id from event`);
      const [keys] = await service.app
        .get(Database)
        .query<{ count: number }>('select count(distinct key)::int as count from message_id');
      expect({ rows: rows.length, keys: keys?.count }).toEqual({ rows: accepted, keys: accepted });
      const stored = countEach(rows.map(({ id }) => id));
      // Ids that differ only in what cannot be stored look alike there, but each of their events must be there.
      const cleaned = (id: string): string => id.replaceAll(new RegExp('\\0|\\p{Surrogate}', 'gu'), '\uFFFD');
      const expected = countEach([...promised].map(cleaned));
      expect([...expected].filter(([id, count]) => (stored.get(id) ?? 0) < count)).toEqual([]);
      expect(accepted).toBeGreaterThan(REQUESTS / 10);
    },
    60_000 + REQUESTS * 20,
  );
});
