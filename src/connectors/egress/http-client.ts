import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Client, type Dispatcher, Pool } from 'undici';
import type { TlsMaterial } from '../connector-context';
import { EgressPolicy } from './egress-policy';
import { EgressProxy } from './egress-proxy';
import { Exchanges } from './exchanges';
import { type GuardedConnection, type GuardedConnect, guardedConnect } from './guarded-connect';
import { ExchangeError, type HttpAnswer, HttpExchange, type HttpRequest } from './http-exchange';

interface KeptPool {
  readonly pool: Pool;
  readonly tls: TlsMaterial | undefined;
  usedAt: number;
}

/** One clock for all exchanges, instead of a timer each: a deadline is met to within this. */
const CLOCK_MS = 100;
const CONNECT_TIMEOUT_MS = 10_000;
/** Connections of a destination that was not sent to for this long are let go of. */
const IDLE_POOL_MS = 60_000;
/**
 * How long a connection is kept idle for a receiver that does not say how long it keeps it: most do for a minute. A new
 * one costs both sides more than a delivery, and one that was closed just as it is used again costs a second try.
 */
const IDLE_CONNECTION_MS = 30_000;

/**
 * All HTTP of deliveries: webhooks and the `http` of connectors. Keeps connections open per destination, follows no
 * redirects, and connects to nothing but what the egress policy allows, through the proxy if there is one.
 */
@Injectable()
export class HttpClient implements OnModuleDestroy {
  private readonly pools = new Map<string, KeptPool>();
  private readonly exchanges = new Exchanges();
  /** While there is something to look after: a service that has nothing to do sleeps. */
  private clock: NodeJS.Timeout | undefined;
  private readonly connect: GuardedConnect;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly proxy: EgressProxy,
  ) {
    this.connect = this.connectWith(undefined);
  }

  /** @throws ExchangeError when no whole answer came before the deadline */
  send(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.exchange(request, (result) => {
        if (!(result instanceof ExchangeError)) return resolve(result);
        if (!result.staleConnection) return reject(result);
        // The receiver closed a kept connection just as it was used again: that says nothing about the delivery.
        this.exchange(request, (again) => (again instanceof ExchangeError ? reject(again) : resolve(again)));
      });
    });
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.clock);
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy()));
    this.pools.clear();
  }

  private exchange(request: HttpRequest, settle: (result: HttpAnswer | ExchangeError) => void): void {
    const { method, headers, body, target, cancel } = request;
    const expire = (): void => exchange.expire();
    const exchange = new HttpExchange(request, (result) => {
      this.exchanges.remove(exchange);
      cancel?.removeEventListener('abort', expire);
      settle(result);
    });
    this.exchanges.add(exchange);
    if (cancel?.aborted === true) return expire();
    cancel?.addEventListener('abort', expire);
    const options: ExchangeOptions = { path: target.path, method, headers, body, exchange };
    this.poolFor(request).dispatch(options, exchange);
  }

  /** What was connected with other certificates is not used again. */
  private poolFor({ destinationId, target: { origin }, tls }: HttpRequest): Pool {
    const key = `${destinationId} ${origin}`;
    let kept = this.pools.get(key);
    if (kept === undefined || !isSame(kept.tls, tls)) {
      void kept?.pool.close(); // Finishes what it has begun.
      this.pools.set(key, (kept = { pool: this.makePool(origin, tls), tls, usedAt: 0 }));
    }
    kept.usedAt = performance.now();
    this.clock ??= setInterval(() => this.tick(performance.now()), CLOCK_MS).unref();
    return kept.pool;
  }

  private makePool(origin: string, tls: TlsMaterial | undefined): Pool {
    const connect = tls === undefined ? this.connect : this.connectWith(tls);
    return new Pool(origin, {
      factory: (url, options) => new TimedClient(url, options, connect),
      // Exchanges have deadlines of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_POOL_MS,
    });
  }

  private connectWith(tls: TlsMaterial | undefined): GuardedConnect {
    return guardedConnect(this.policy, this.proxy, { timeoutMs: CONNECT_TIMEOUT_MS, tls });
  }

  private tick(now: number): void {
    this.exchanges.expire(now);
    for (const [key, { pool, usedAt }] of this.pools) {
      if (now - usedAt < IDLE_POOL_MS) continue;
      this.pools.delete(key);
      void pool.close();
    }
    if (this.pools.size > 0 || !this.exchanges.isEmpty) return;
    clearInterval(this.clock);
    this.clock = undefined;
  }
}

function isSame(one: TlsMaterial | undefined, other: TlsMaterial | undefined): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

/** The pool hands it on as it is, but the handler in a wrapper. */
interface ExchangeOptions extends Dispatcher.DispatchOptions {
  readonly exchange: HttpExchange;
}

/** One of the connections of a pool; it tells exchanges what they are written on. */
class TimedClient extends Client {
  private readonly connection: () => GuardedConnection | undefined;

  constructor(origin: URL, options: object, connect: GuardedConnect) {
    let connection: GuardedConnection | undefined;
    super(origin, {
      ...options,
      connect: (to, callback) => {
        connection = connect(to, callback);
      },
    });
    this.connection = () => connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    (options as ExchangeOptions).exchange.connection = this.connection;
    return super.dispatch(options, handler);
  }
}
