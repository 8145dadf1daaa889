import type { Logger } from '@nestjs/common';
import type { DeadDelivery } from '../ledger/ending/dead-delivery';

const QUIET_MS = 60_000;

/**
 * Logs of each destination one delivery that is dead, and a minute later how many more there are: a destination that
 * refuses everything would fill the log.
 */
export class DeadLines {
  /** How many are dead since one was logged, by destination. */
  private readonly more = new Map<string, number>();

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly nameOf: (destinationId: string) => string | undefined,
  ) {}

  tell(delivery: DeadDelivery): void {
    const { destinationId } = delivery;
    const more = this.more.get(destinationId);
    this.more.set(destinationId, more === undefined ? 0 : more + 1);
    if (more !== undefined) return;
    const destination = this.nameOf(destinationId);
    this.logger.warn('Delivery dead', { ...delivery, destination, state: 'dead' });
    setTimeout(() => this.tellMore(destinationId), QUIET_MS).unref();
  }

  private tellMore(destinationId: string): void {
    const count = this.more.get(destinationId) ?? 0;
    this.more.delete(destinationId);
    if (count === 0) return;
    const destination = this.nameOf(destinationId);
    this.logger.warn('More deliveries dead', { destinationId, destination, count });
  }
}
