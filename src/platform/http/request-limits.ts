import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from '../queues/redis-clients';
import { Problem } from './problem';

const WINDOW_SECONDS = 60;
/** About 1 MB. Beyond it the oldest are forgotten, and are strangers to an address with many refusals. */
const MAX_KNOWN_TOKENS = 10_000;

/** Somebody asks for too much in a minute. */
export class TooManyRequestsError extends Problem {
  readonly status = 429;
  readonly code = 'too_many_requests';
  override readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super('Too many requests. Wait before the next one.');
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/**
 * How much one caller may ask for in a minute: each token, and each address without one. Counted in Redis, for all
 * processes together, and in this process while Redis is away or where there is none. Tokens that turn out to be
 * invalid count for their address as well, here: trying out tokens gets nobody a new allowance, and keeps nobody out
 * whose token was good before.
 */
export class RequestLimits {
  private readonly requests: RateLimiterMemory | RateLimiterRedis;
  private readonly refusals: RateLimiterMemory;
  private readonly knownTokens = new Set<string>();

  constructor(
    private readonly perMinute: number,
    redis: RedisClient | undefined,
  ) {
    const limits = { points: perMinute, duration: WINDOW_SECONDS };
    this.refusals = new RateLimiterMemory(limits);
    const memory = new RateLimiterMemory(limits);
    this.requests =
      redis === undefined
        ? memory
        : new RateLimiterRedis({
            ...limits,
            storeClient: redis,
            keyPrefix: 'cdp-rate',
            insuranceLimiter: memory,
          });
  }

  /** @throws TooManyRequestsError */
  async demand(request: FastifyRequest): Promise<void> {
    const token = tokenKey(request);
    if (token !== undefined && !this.knownTokens.has(token)) await this.demandFewRefusals(request.ip);
    await consume(this.requests, token ?? `address-${request.ip}`);
  }

  /** Learns from the answer whether the token is good. */
  async note(request: FastifyRequest, status: number): Promise<void> {
    const token = tokenKey(request);
    if (status === 401) {
      await this.refusals.penalty(request.ip, 1);
    } else if (token !== undefined && status < 400) {
      this.knownTokens.add(token);
      const [oldest] = this.knownTokens;
      if (this.knownTokens.size > MAX_KNOWN_TOKENS && oldest !== undefined) this.knownTokens.delete(oldest);
    }
  }

  private async demandFewRefusals(address: string): Promise<void> {
    const refused = await this.refusals.get(address);
    if (refused !== null && refused.consumedPoints >= this.perMinute) {
      throw new TooManyRequestsError(refused.msBeforeNext);
    }
  }
}

function tokenKey({ headers: { authorization } }: FastifyRequest): string | undefined {
  return authorization === undefined
    ? undefined
    : `token-${createHash('sha256').update(authorization).digest('base64url')}`;
}

async function consume(limiter: RateLimiterMemory | RateLimiterRedis, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) throw new TooManyRequestsError(rejection.msBeforeNext);
    throw rejection;
  }
}
