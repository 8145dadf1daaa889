import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Pool } from 'undici';
import { EgressPolicy } from '../egress/egress-policy';
import { guardedConnect } from '../egress/guarded-connect';
import type { Target } from '../egress/parse-target';
import { Exchange, ExchangeError, type HttpAnswer } from './exchange';
import { Exchanges } from './exchanges';

export interface Post {
  readonly destinationId: string;
  readonly target: Target;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body: Buffer;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
}

interface KeptPool {
  readonly origin: string;
  readonly pool: Pool;
  usedAt: number;
}

/** One clock for all exchanges, instead of a timer each: a deadline is met to within this. */
const CLOCK_MS = 100;
const CONNECT_TIMEOUT_MS = 10_000;
/** Connections of a destination that was not sent to for this long are let go of. */
const IDLE_POOL_MS = 60_000;

/** Sends POST requests, keeping connections open per destination. Follows no redirects and knows no proxies. */
@Injectable()
export class HttpPoster implements OnModuleDestroy {
  private readonly pools = new Map<string, KeptPool>();
  private readonly exchanges = new Exchanges();
  private readonly clock: NodeJS.Timeout;

  constructor(private readonly policy: EgressPolicy) {
    this.clock = setInterval(() => this.tick(performance.now()), CLOCK_MS).unref();
  }

  /** Rejects with an ExchangeError when no whole answer came before the deadline. */
  post(post: Post): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.exchange(post, (result) => {
        if (!(result instanceof ExchangeError)) return resolve(result);
        if (!result.staleConnection) return reject(result);
        // The receiver closed a kept connection just as it was used again: that says nothing about the delivery.
        this.exchange(post, (again) => (again instanceof ExchangeError ? reject(again) : resolve(again)));
      });
    });
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.clock);
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy()));
    this.pools.clear();
  }

  private exchange(
    { destinationId, target, headers, body, deadline }: Post,
    settle: (result: HttpAnswer | ExchangeError) => void,
  ): void {
    const pool = this.poolFor(destinationId, target.origin);
    const exchange = new Exchange(deadline, (result) => {
      this.exchanges.remove(exchange);
      settle(result);
    });
    this.exchanges.add(exchange);
    pool.dispatch({ path: target.path, method: 'POST', headers, body }, exchange);
  }

  private poolFor(destinationId: string, origin: string): Pool {
    const kept = this.pools.get(destinationId);
    if (kept?.origin === origin) {
      kept.usedAt = performance.now();
      return kept.pool;
    }
    if (kept !== undefined) void kept.pool.close(); // Finishes what it has begun.
    const pool = new Pool(origin, {
      connect: guardedConnect(this.policy, CONNECT_TIMEOUT_MS),
      // Exchanges have deadlines of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: IDLE_POOL_MS,
    });
    this.pools.set(destinationId, { origin, pool, usedAt: performance.now() });
    return pool;
  }

  private tick(now: number): void {
    this.exchanges.expire(now);
    for (const [destinationId, { pool, usedAt }] of this.pools) {
      if (now - usedAt < IDLE_POOL_MS) continue;
      this.pools.delete(destinationId);
      void pool.close();
    }
  }
}
