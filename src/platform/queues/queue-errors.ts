import type { Logger } from '@nestjs/common';
import { failureOf } from '../database/failure';
import type { RedisOutage } from './redis-outage';
import { ThrottledWarning } from '../logging/throttled-warning';

/**
 * Logs what a queue or worker of BullMQ reports. On PostgreSQL workers of several processes make delayed jobs due with
 * one statement each, in whatever order, so under load two of them may wait for each other. PostgreSQL undoes what one
 * of them asked for; no job is lost by that, and BullMQ asks again at once: nobody has to do anything.
 */
export class QueueErrors {
  private readonly warning: ThrottledWarning;

  constructor(
    private readonly logger: Pick<Logger, 'debug' | 'warn' | 'log'>,
    private readonly outage?: RedisOutage,
  ) {
    this.warning = new ThrottledWarning(logger);
  }

  log(error: Error): void {
    if (failureOf(error) === 'race')
      this.logger.debug(
        `Workers were in each other's way in the queue, this one asks again: ${String(error)}`,
      );
    else if (this.outage?.tell(error) !== true) this.warning.warn(String(error));
  }
}
