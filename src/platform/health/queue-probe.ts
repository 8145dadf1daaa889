import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { JobDispatcher } from '../queues/job-dispatcher';

const TIMEOUT_MS = 1_000;

export type QueueState = 'up' | 'down';

@Injectable()
export class QueueProbe {
  constructor(private readonly jobs: JobDispatcher) {}

  /** Never rejects. */
  async state(): Promise<QueueState> {
    const answered = this.jobs
      .queue('events')
      .getWaitingCount()
      .then(() => 'up' as const)
      .catch(() => 'down' as const);
    return Promise.race([answered, delay(TIMEOUT_MS, 'down' as const, { ref: false })]);
  }
}
