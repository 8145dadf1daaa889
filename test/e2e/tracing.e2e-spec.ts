import { randomBytes, randomUUID } from 'node:crypto';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { aSource } from '../support/a-source';
import { aWebhook } from '../support/a-webhook';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { type CollectedSpan, OtlpCollector } from '../support/otlp-collector';
import { Receiver, type ReceivedDelivery } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'test-secret-of-some-length';

describe('a trace', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let collector: OtlpCollector;
  let service: BuiltService;
  let writeKey: string;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    receiver = await Receiver.start();
    collector = await OtlpCollector.start();
    service = await startTracedService(database, collector, 'parentbased_always_off');
    writeKey = (await aSource(database.url)).writeKey;
    await aWebhook(service.url, receiver.url, JWT_SECRET);
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.stop(), receiver.stop()]);
    await database.drop();
  });

  function send(traceparent: string | undefined, size = 1): Promise<string[]> {
    return sendEvents({ url: service.url, writeKey }, traceparent, size);
  }

  function received(messageId: string): Promise<ReceivedDelivery[]> {
    return eventually(() => {
      const all = receiver.received.filter(({ body }) => body.includes(messageId));
      expect(all).not.toEqual([]);
      return all;
    });
  }

  function spansOf(traceId: string): Promise<Record<string, CollectedSpan>> {
    return eventually(() => {
      const spans = collector.spans.filter((span) => span.traceId === traceId);
      const names = spans.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['POST /v1/batch', 'process events', 'deliver webhook']));
      return Object.fromEntries(spans.map((span) => [span.name, span]));
    });
  }

  it('goes from the caller over reception and processing to the webhook and its receiver', async () => {
    const { traceId, spanId, traceparent } = aTrace('01');
    const [messageId = ''] = await send(traceparent);
    const [delivery] = await received(messageId);
    const spans = await spansOf(traceId);
    const [request, processing, sending] = ['POST /v1/batch', 'process events', 'deliver webhook'].map(
      (name) => spans[name],
    );
    expect(request).toMatchObject({ parentSpanId: spanId, serviceName: 'cdp-under-test' });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 200 });
    expect(processing).toMatchObject({ parentSpanId: request?.spanId });
    expect(sending).toMatchObject({ parentSpanId: processing?.spanId });
    expect(sending?.attributes).toMatchObject({ 'cdp.delivery.id': delivery?.id });
    expect(delivery?.headers.traceparent).toBe(`00-${traceId}-${sending?.spanId}-01`);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ traceparent: 'theirs' });
  });

  it('has a span for each try, and says of a failed one why', async () => {
    receiver.answer(503);
    const { traceId, traceparent } = aTrace('01');
    const [messageId = ''] = await send(traceparent);
    await received(messageId);
    receiver.answer(200);
    const tries = await eventually(() => {
      const found = collector.spans.filter(
        (span) => span.traceId === traceId && span.name === 'deliver webhook',
      );
      expect(found.length).toBeGreaterThan(1);
      return found;
    });
    expect(tries[0]?.attributes).toMatchObject({ 'error.type': 'http_5xx', 'cdp.delivery.attempt': 1 });
    expect(tries[0]?.status.code).toBe(2);
    expect(tries.at(-1)?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('is one per request, however their events are mixed in commits and batches', async () => {
    const traces = Array.from({ length: 12 }, () => aTrace('01'));
    const sent = await Promise.all(traces.map(({ traceparent }) => send(traceparent, 5)));
    const untraced = await send(undefined);
    for (const [index, { traceId }] of traces.entries()) {
      for (const messageId of sent[index] ?? []) {
        const [delivery] = await received(messageId);
        expect(delivery?.headers.traceparent).toMatch(`00-${traceId}-`);
      }
      const { 'process events': processing, 'POST /v1/batch': request } = await spansOf(traceId);
      expect(processing?.parentSpanId).toBe(request?.spanId);
      expect(processing?.attributes['cdp.events']).toBe(5);
      expect(processing?.links.map((link) => link.traceId)).not.toContain(traceId);
    }
    expect((await received(untraced[0] ?? ''))[0]?.headers.traceparent).toBeUndefined();
  });

  it('leaves nothing in any row when it is not sampled', async () => {
    const { traceId, traceparent } = aTrace('00');
    const ids = [...(await send(traceparent)), ...(await send(undefined))];
    for (const messageId of ids) {
      expect((await received(messageId))[0]?.headers.traceparent).toBeUndefined();
    }
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    const pool = openPool({ connectionString: database.url, max: 1 });
    const { rows } = await pool.query(
      `select count(*)::int as rows from delivery d join event e on e.id = d.event_id
       where e.payload ->> 'messageId' = any($1) and d.traceparent is null`,
      [ids],
    );
    await pool.end();
    expect(rows).toEqual([{ rows: 2 }]);
  });
});

describe('the span of a batch', () => {
  it('says of a failed try why', async () => {
    const database = await createTestDatabase();
    const [receiver, collector] = await Promise.all([Receiver.start(), OtlpCollector.start()]);
    // It has no parent: a batch has deliveries of many requests.
    const service = await startTracedService(database, collector, 'always_on');
    try {
      receiver.answer(503);
      const { writeKey } = await aSource(database.url);
      await aWebhook(service.url, receiver.url, JWT_SECRET, { batch: { flushSeconds: 1 } });
      const { traceId, traceparent } = aTrace('01');
      await sendEvents({ url: service.url, writeKey }, traceparent, 1);
      const span = await eventually(() => {
        const found = collector.spans.find(({ name }) => name === 'deliver batch');
        expect(found).toBeDefined();
        return found;
      });
      expect(span?.attributes).toMatchObject({ 'error.type': 'http_5xx' });
      expect(span?.links.map((link) => link.traceId)).toEqual([traceId]);
    } finally {
      await service.stop();
      await Promise.all([collector.stop(), receiver.stop()]);
      await database.drop();
    }
  });
});

function startTracedService(
  database: TestDatabase,
  collector: OtlpCollector,
  sampler: string,
): Promise<BuiltService> {
  return startBuiltService({
    NODE_ENV: 'test',
    CDP_DATABASE_URL: database.url,
    CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
    CDP_JWT_SECRET: JWT_SECRET,
    CDP_DELIVERY_BACKOFF_MS: '20',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'cdp-under-test',
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
}

/** Sends a batch; returns the ids of its events. */
async function sendEvents(
  { url, writeKey }: { readonly url: string; readonly writeKey: string },
  traceparent: string | undefined,
  size: number,
): Promise<string[]> {
  const messageIds = Array.from({ length: size }, () => randomUUID());
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body: JSON.stringify({ batch: messageIds.map(anEvent) }),
  });
  expect(answer.status).toBe(200);
  return messageIds;
}

function anEvent(messageId: string): object {
  // A member of the customer's own that has a name we use.
  return {
    type: 'track',
    event: 'Seen',
    userId: 'ada',
    messageId,
    timestamp: new Date().toISOString(),
    traceparent: 'theirs',
  };
}

function aTrace(flags: '00' | '01'): { traceId: string; spanId: string; traceparent: string } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}
