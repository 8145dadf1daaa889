import { Logger } from '@nestjs/common';
import { failureOf, reasonOf } from '../database/failure';
import { ThrottledWarning } from '../logging/throttled-warning';

/** What ioredis says without a code, and Redis of whom it does not let in. */
const OUTAGE_MESSAGES =
  /connection is closed|isn't writeable|socket timeout|command timed out|max retries per request|sentinels are unreachable|slots cache|startup nodes|ETIMEDOUT|NOAUTH|WRONGPASS/i;

/** Says that Redis is away once for all queues and workers of the process, each of which reports it. */
export class RedisOutage {
  private readonly warning: ThrottledWarning;

  constructor(logger: Pick<Logger, 'warn' | 'log'> = new Logger('Redis')) {
    this.warning = new ThrottledWarning(logger);
  }

  /** @returns whether the error is one of an outage */
  tell(error: Error): boolean {
    if (failureOf(error) !== 'outage' && !OUTAGE_MESSAGES.test(error.message)) return false;
    this.warning.warn(
      `Redis cannot be used (${reasonOf(error)}): the service goes on without it, some seconds late. ` +
        'Check that it runs, and CDP_REDIS_URL.',
    );
    return true;
  }
}
