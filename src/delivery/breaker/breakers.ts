import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import type { Outcome } from '../ledger/outcome';
import { Breaker } from './breaker';
import { DestinationHealth } from './destination-health';

/** The breakers of a process, one per destination, and what they have to do with those of other processes. */
@Injectable()
export class Breakers {
  private readonly logger = new Logger(Breakers.name);
  private readonly breakers = new Map<string, Breaker>();

  constructor(
    private readonly health: DestinationHealth,
    @Inject(Config) private readonly config: Config,
  ) {}

  of(destinationId: string): Breaker {
    let breaker = this.breakers.get(destinationId);
    if (breaker === undefined) {
      const { concurrency, breakerFailures } = this.config.delivery;
      breaker = new Breaker(concurrency, breakerFailures);
      if (this.health.isOpen(destinationId)) breaker.open();
      this.breakers.set(destinationId, breaker);
    }
    return breaker;
  }

  /** Takes in what a try came to. */
  noteOutcome({ delivery, attempt, state, errorClass, waitMs, disableDestination }: Outcome): void {
    const { destinationId, probes = 0 } = delivery;
    const breaker = this.of(destinationId);
    if (state === 'delivered') return breaker.onSuccess();
    // While that is being written down nothing more is sent to a receiver that is gone: it would be given up as well.
    if (disableDestination) return breaker.open();
    if (!breaker.onFailure(attempt - probes === 1)) return;
    const reason = errorClass ?? 'failed';
    this.logger.warn('A destination is down: its deliveries wait', { destinationId, reason });
    this.health
      .openBreaker(destinationId, reason, reason === 'rate_limited' ? waitMs : 0)
      .catch((error: unknown) => this.logger.warn(`A breaker is open here only: ${String(error)}`));
  }

  /** The destination is back, for all processes. @throws when PostgreSQL is away */
  async close(destinationId: string): Promise<void> {
    await this.health.closeBreaker(destinationId);
    this.of(destinationId).close();
  }

  /** Does here what other processes found out. */
  followHealth(): void {
    for (const [destinationId, breaker] of this.breakers) {
      if (this.health.isOpen(destinationId)) breaker.open();
      else breaker.close();
    }
  }

  /** Of a destination that is deleted. */
  forget(destinationId: string): void {
    this.breakers.delete(destinationId);
  }
}
