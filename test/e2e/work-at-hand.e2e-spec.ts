import type { Queue } from 'bullmq';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { type EventsTarget, sendTracks } from '../support/send-events';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

describe.each(queueKinds())('what a process has at hand, with its queue on %s', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let target: EventsTarget;
  let sent = 0;

  beforeAll(async () => {
    service = await startTestService({ queue });
    receiver = await Receiver.start();
    const api = await anApiClient(service);
    const { writeKey } = (await api.post('/sources', { name: 'Shop' })).body;
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
    target = { url: service.url, writeKey };
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  const queueOf = (name: 'events' | 'deliveries'): Queue => service.app.get(JobDispatcher).queue(name);
  const arrived = (): string[] => receiver.received.map(({ body }) => JSON.parse(body).messageId);

  async function send(): Promise<string> {
    const id = `at-hand-${(sent += 1)}`;
    expect(await sendTracks(target, [id])).toBe(200);
    return id;
  }

  it('is done without a job, and shown in the queues', async () => {
    const id = await send();
    await eventually(() => expect(arrived()).toContain(id));
    for (const name of ['events', 'deliveries'] as const) {
      await eventually(async () => {
        const [job] = await queueOf(name).getCompleted(0, 0);
        expect(job?.name).toMatch(/1 events/);
        expect(job?.data).toMatchObject({ done: true });
      });
    }
  });

  it.each(['events', 'deliveries'] as const)(
    'waits while somebody has stopped the queue %s',
    async (name) => {
      const stopped = queueOf(name);
      await stopped.pause();
      const ids: string[] = [];
      // Stopped within a second: until then it may go on.
      await eventually(async () => {
        ids.push(await send());
        expect(await jobsToDo(stopped)).toBeGreaterThan(0);
      });
      const before = await jobsToDo(stopped);
      const late = await send();
      await eventually(async () => expect(await jobsToDo(stopped)).toBeGreaterThan(before));
      expect(arrived()).not.toContain(late);
      await stopped.resume();
      await eventually(() => expect(arrived()).toEqual(expect.arrayContaining([...ids, late])));
    },
  );
});

async function jobsToDo(queue: Queue): Promise<number> {
  const jobs = await queue.getJobs(['wait']);
  return jobs.filter(({ data }) => data.done !== true).length;
}
