import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../http/server/network-of';
import { problem } from '../http/problems/problem';
import type { RedisClient } from '../queues/redis-clients';

const WINDOW_SECONDS = 60;

/** A caller has made too many requests in a minute. */
export class TooManyRequestsError extends problem(
  429,
  'too_many_requests',
  'Too much at once; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super('Too many requests. Wait before the next one.');
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/**
 * How much one caller may ask for in a minute. Counted in Redis, for all processes together, and in this process while
 * Redis is away or where there is none.
 */
export class RequestLimits {
  private readonly requests: RateLimiterMemory | RateLimiterRedis;

  /** @param keyPrefix of this service alone, in a Redis that several may share */
  constructor(perMinute: number, redis: RedisClient | undefined, keyPrefix = 'cdp-rate') {
    const limits = { points: perMinute, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory(limits);
    this.requests =
      redis === undefined
        ? memory
        : new RateLimiterRedis({
            ...limits,
            storeClient: redis,
            keyPrefix,
            insuranceLimiter: memory,
          });
  }

  /**
   * @param caller see {@link credentialCaller} and {@link addressCaller}
   * @throws TooManyRequestsError
   */
  async demand(caller: string): Promise<void> {
    try {
      await this.requests.consume(caller);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) throw new TooManyRequestsError(rejection.msBeforeNext);
      throw rejection;
    }
  }
}

/** A caller whose credential was verified. An invented credential must not get an allowance of its own. */
export function credentialCaller(credential: string): string {
  return `token-${createHash('sha256').update(credential).digest('base64url')}`;
}

/** All other callers behind an address; with IPv6, behind a network of /64. */
export function addressCaller(address: string): string {
  return `address-${networkOf(address)}`;
}
