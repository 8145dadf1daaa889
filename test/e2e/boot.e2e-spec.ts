import { EventStore } from '../../src/events/event-store';
import { EventProcessor } from '../../src/ingestion/event.processor';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { JobDispatcher } from '../../src/platform/queues/job-dispatcher';
import { anyEvent, asStorable } from '../support/any-event';
import { aWebhook } from '../support/a-webhook';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { createTestDatabase } from '../support/test-database';
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
      const job = { id: 'retry-1', name: 'retry', data: { destinationId: 'd1', deliveryId: 'd2', tries: 1 } };
      await expect(jobs.dispatch('delivery-retries', [job])).resolves.toBe(false);
    } finally {
      await service.close();
    }
  });

  it('hands the deliveries of its last events on while it stops', async () => {
    const database = await createTestDatabase();
    const receiver = await Receiver.start();
    const pool = openPool({ connectionString: database.url, max: 2 });
    // Deliveries that were not handed on are left to whoever comes long after this test.
    const env = { CDP_DELIVERY_GRACE_MS: '600000' };
    const start = () => startTestService({ queue, env, databaseUrl: database.url });
    try {
      const first = await start();
      await aWebhook(first.url, receiver.url, first.jwtSecret);
      const blocker = await pool.connect();
      await blocker.query(`begin; insert into profile (subject) values ('u:slow')`);
      const { inboxId = '' } = await first.app
        .get(EventStore)
        .store([asStorable(anyEvent({ userId: 'slow' }))]);
      const job = { id: inboxId, name: 'slow', data: { inboxIds: [inboxId] } };
      await first.app.get(JobDispatcher).dispatch('events', [job]);
      await eventually(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
        );
        expect(rows).toHaveLength(1);
      });

      const closed = first.close();
      const { worker } = first.app.get(EventProcessor, { strict: false });
      await eventually(() => expect(worker.closing).toBeDefined());
      await blocker.query('rollback');
      blocker.release();
      await closed;

      const second = await start();
      try {
        await eventually(() => expect(receiver.received).toHaveLength(1));
      } finally {
        await second.close();
      }
    } finally {
      await pool.end();
      await receiver.stop();
      await database.drop();
    }
  });
});
