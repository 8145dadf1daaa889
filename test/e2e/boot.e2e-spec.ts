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
});
