import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
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
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
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
   * back, so a queue that is down degrades the service but does not turn requests away (`docs/decisions/0095`).
   */
  async report(): Promise<ReadinessReport> {
    const [database, queue] = await Promise.all([this.database.state(), this.queue.state()]);
    const shutdown = this.draining ? 'draining' : 'no';
    const of = (name: string) => this.indicators.check(name);
    const ready = await this.passes([
      () => (database === 'up' ? of('database').up() : of('database').down(database)),
      () => (queue === 'up' ? of('queue').up() : of('queue').degraded(queue)),
      () => (shutdown === 'no' ? of('shutdown').up() : of('shutdown').down(shutdown)),
    ]);
    return { ready, checks: { database, queue, shutdown } };
  }

  /** The service judges the indicators; what it answers is documented by {@link ReadinessReport}. */
  private async passes(indicators: Parameters<HealthCheckService['check']>[0]): Promise<boolean> {
    try {
      await this.health.check(indicators);
      return true;
    } catch (error) {
      // May stop here: that is how Terminus says that an indicator is down.
      if (error instanceof ServiceUnavailableException) return false;
      throw error;
    }
  }
}
