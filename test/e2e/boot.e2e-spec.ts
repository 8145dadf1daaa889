import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { queueKinds, startTestService } from '../support/test-service';

describe.each(queueKinds())('the service on %s queues', (queue) => {
  it('boots on a fresh database and closes', async () => {
    const service = await startTestService({ queue });
    try {
      const answer = await fetch(`${service.url}/no-such-path`);
      expect(answer.status).toBe(404);
    } finally {
      await service.close();
    }
  });

  it('adds no jobs to a queue that is closed, and does not wait for it either', async () => {
    const service = await startTestService({ queue });
    try {
      const jobs = service.app.get(JobDispatcher);
      await jobs.queue('delivery-retries').close();
      const job = { id: 'retry-1', name: 'retry', data: { destinationId: 'd1', deliveryId: 'd2' } };
      await expect(jobs.dispatch('delivery-retries', [job])).resolves.toBe(false);
    } finally {
      await service.close();
    }
  });
});
