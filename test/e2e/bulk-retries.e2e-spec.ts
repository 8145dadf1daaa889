import { getQueueToken } from '@nestjs/bullmq';
import type { Job, Queue } from 'bullmq';
import { Breakers } from '../../src/delivery/breaker/breakers';
import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { WorkerPresence } from '../../src/delivery/presence/worker-presence';
import { anEvent } from '../support/an-event';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { deliver, type LedgerRow, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

const CONCURRENCY = 4;
const ENV = {
  CDP_AUTH_ANY_TOKEN: 'false',
  CDP_DELIVERY_CONCURRENCY: String(CONCURRENCY),
  CDP_BREAKER_FAILURES: '1000',
};
/** For what is to fail in the same way whenever it is tried. */
const IN_AN_HOUR = { 'retry-after': '3600' };

interface Retried {
  readonly deliveries: number;
  readonly waitsFor: string | null;
}

describe.each(queueKinds())('a retry of all that waits for a destination, on %s queues', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let id: string;

  beforeAll(async () => {
    service = await startTestService({ queue, env: ENV });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    receiver = await Receiver.start();
    const config = { url: receiver.url };
    const { body } = await api.post('/destinations', { name: 'Receiver', type: 'webhook', config });
    id = body.id;
  });
  afterEach(async () => {
    await api.delete(`/destinations/${id}`);
    await receiver.stop();
  });

  const retry = (body?: object, by = api): Promise<ApiAnswer<Retried>> =>
    by.post(`/destinations/${id}/retry`, body);
  const retries = (): Queue => service.app.get<Queue>(getQueueToken('delivery-retries'), { strict: false });
  const waitingJobs = async (): Promise<Job[]> =>
    (await retries().getDelayed()).filter(({ data }) => data.destinationId === id);

  /** As after an outage: each was tried once, and has a job that is due in an hour. */
  async function haveWaiting(count: number): Promise<LedgerRow[]> {
    receiver.answer(503, IN_AN_HOUR);
    await deliver(
      service,
      Array.from({ length: count }, () => anEvent()),
    );
    const waiting = await until(Array.from({ length: count }, () => ({ state: 'pending', attempts: 1 })));
    await eventually(async () => expect(await waitingJobs()).toHaveLength(count));
    receiver.received.length = 0;
    receiver.answer(200);
    return waiting;
  }

  function until(expected: readonly Partial<LedgerRow>[]): Promise<LedgerRow[]> {
    return eventually(async () => {
      const rows = await ledgerOf(service, id);
      expect(rows).toMatchObject(expected);
      return rows;
    });
  }

  it('has them sent at once, once, and the jobs that were to try them later find nothing to do', async () => {
    const waiting = await haveWaiting(30);
    const jobs = await waitingJobs();
    const keyed = api.with({ 'idempotency-key': `retry ${id}` });
    const first = await retry(undefined, keyed);
    expect(first).toMatchObject({ status: 202, body: { deliveries: 30, waitsFor: null } });
    await until(waiting.map((row) => ({ id: row.id, state: 'delivered', attempts: 2 })));
    expect((await retry(undefined, keyed)).body).toEqual(first.body);
    expect((await retry()).body).toEqual({ deliveries: 0, waitsFor: null });
    for (const job of jobs) await job.promote();
    await eventually(async () => {
      const states = await Promise.all(jobs.map((job) => job.getState()));
      expect(new Set(states)).toEqual(new Set(['completed']));
    });
    expect(receiver.received.map((delivery) => delivery.id).toSorted()).toEqual(
      waiting.map((row) => row.id).toSorted(),
    );
    const { body } = await api.get(`/audit?resource=destination&resourceId=${id}&action=retry_deliveries`);
    expect(body).toMatchObject([
      { after: { reason: null, deliveries: 0 } },
      { after: { reason: null, deliveries: 30 } },
    ]);
  });

  it('makes no second try beside one that its job has begun early', async () => {
    const [waiting] = await haveWaiting(1);
    // As long as a worker may be gone, all is held by leases.
    const presence = service.app.get(WorkerPresence, { strict: false });
    await eventually(() => expect(presence.isAlarmed).toBe(false));
    let answer: (() => void) | undefined;
    receiver.behaviour = (_, response) => (answer = () => response.end());
    const [job] = await waitingJobs();
    // A job comes up to a quarter of its wait before the ledger expects it.
    await job!.promote();
    await eventually(() => expect(answer).toBeDefined());
    expect((await retry()).body).toEqual({ deliveries: 0, waitsFor: null });
    answer!();
    await until([{ id: waiting!.id, state: 'delivered', attempts: 2 }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('tries each once more within the limits of the destination, however often it is asked for at a time', async () => {
    const waiting = await haveWaiting(100);
    let open = 0;
    let most = 0;
    let answered = 0;
    let release = (): void => undefined;
    const asked = new Promise<void>((resolve) => (release = resolve));
    receiver.behaviour = (_, response) => {
      most = Math.max(most, (open += 1));
      // None fails again before all were asked for: then it would rightly be tried once more.
      void asked.then(() => {
        open -= 1;
        answered += 1;
        response.writeHead(503, IN_AN_HOUR).end();
      });
    };
    const answers = await Promise.all(Array.from({ length: 4 }, () => retry()));
    release();
    expect(answers.reduce((sum, { body }) => sum + body.deliveries, 0)).toBe(100);
    await until(waiting.map((row) => ({ id: row.id, state: 'pending', attempts: 2 })));
    expect(answered).toBe(100);
    expect(new Set(receiver.ids())).toEqual(new Set(waiting.map((row) => row.id)));
    expect(most).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('makes them due for a destination that nothing is sent to, says why, and leaves them to it', async () => {
    const [waiting] = await haveWaiting(1);
    await service.app.get(DestinationHealth, { strict: false }).openBreaker(id, 'timeout', 60_000);
    const breakers = service.app.get(Breakers, { strict: false });
    await eventually(() => expect(breakers.breakerOf(id).state).toBe('open'));
    expect((await retry()).body).toEqual({ deliveries: 1, waitsFor: 'destination_down' });
    await api.post(`/destinations/${id}/pause`);
    expect((await retry()).body).toEqual({ deliveries: 0, waitsFor: 'destination_paused' });
    expect((await api.get(`/deliveries/${waiting!.id}`)).body).toMatchObject({
      waitsFor: 'destination_paused',
      nextTryAt: null,
    });
    expect(receiver.received).toEqual([]);
    await api.post(`/destinations/${id}/resume`);
    await api.post(`/destinations/${id}/test`);
    await until([{ id: waiting!.id, state: 'delivered' }]);
  });

  it('takes those whose last try failed for one reason', async () => {
    await haveWaiting(2);
    expect((await retry({ reason: 'timeout' })).body).toEqual({ deliveries: 0, waitsFor: null });
    // A connector that is not installed any more may have had it.
    expect((await retry({ reason: 'quota_used_up' })).body).toEqual({ deliveries: 0, waitsFor: null });
    expect((await retry({ reason: 'http_5xx' })).body).toEqual({ deliveries: 2, waitsFor: null });
    const refused = { status: 400, body: { errors: [{ path: 'reason' }] } };
    expect(await retry({ reason: 5 })).toMatchObject(refused);
    expect(await retry({ reason: 'x'.repeat(101) })).toMatchObject(refused);
    expect((await retry({ since: 'ever' })).status).toBe(400);
  });

  it('needs the right to write, and a destination', async () => {
    expect((await retry(undefined, await anApiClient(service, ['cdp:read']))).status).toBe(403);
    expect((await api.post('/destinations/nonsense/retry')).body).toMatchObject({
      code: 'destination_not_found',
    });
  });
});
