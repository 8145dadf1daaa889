import { Injectable } from '@nestjs/common';
import { DatabaseProbe, type DatabaseState } from './database-probe';
import { QueueProbe, type QueueState } from './queue-probe';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: {
    readonly database: DatabaseState;
    readonly queue: QueueState;
    readonly shutdown: 'no' | 'draining';
  };
}

/** Whether this process should get requests. */
@Injectable()
export class Readiness {
  private draining = false;

  constructor(
    private readonly database: DatabaseProbe,
    private readonly queue: QueueProbe,
  ) {}

  /** From now on load balancers are told to look elsewhere; requests are still answered. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /**
   * Without PostgreSQL nothing works. Without the queue events are still accepted, and processed when it is
   * back, so a queue that is down is told but does not turn requests away (`docs/decisions/0095`).
   */
  async report(): Promise<ReadinessReport> {
    const [database, queue] = await Promise.all([this.database.state(), this.queue.state()]);
    return {
      ready: database === 'up' && !this.draining,
      checks: { database, queue, shutdown: this.draining ? 'draining' : 'no' },
    };
  }
}
