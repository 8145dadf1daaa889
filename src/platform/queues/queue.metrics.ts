import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics';
import { scraped } from '../metrics/scraped';
import { QUEUE_NAMES } from './job';
import { JobDispatcher } from './job-dispatcher';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** How many jobs each queue holds. Every process reports the same, so take the maximum, not the sum. */
@Injectable()
export class QueueMetrics {
  constructor(metrics: Metrics, jobs: JobDispatcher) {
    const read = scraped(() =>
      Promise.all(
        QUEUE_NAMES.map(async (queue) => ({
          queue,
          counts: await jobs.queue(queue).getJobCounts(...STATES),
        })),
      ),
    );
    metrics.gauge({
      name: 'queue_jobs',
      help: 'Jobs in a queue, by state. Every process reports the same number.',
      labelNames: ['queue', 'state'],
      async collect() {
        this.reset();
        for (const { queue, counts } of (await read()) ?? []) {
          for (const state of STATES) this.set({ queue, state }, counts[state] ?? 0);
        }
      },
    });
  }
}
