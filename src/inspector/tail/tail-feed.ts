import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { tailNow, pruneTail } from '../../events/tail/read-tail';
import { enterListener, withdrawListener } from '../../events/tail/tail-listeners';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { Database } from '../../platform/database/database';
import { refusesValues } from '../../platform/database/failure';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import { TooManyListenersError } from '../inspector-problems';
import { TailAudience } from './tail-audience';
import type { TailListener } from './tail-listener';
import { TailReader } from './tail-reader';

const ROUND_MS = 250;
/** Others take the process for gone after 20 s. */
const SIGN_OF_LIFE_MS = 5_000;
/** What comes in is noted for so long after the last listener has left: one that was cut off comes again. */
const LINGER_MS = 30_000;
const MAX_LISTENERS = 50;

/** Follows what comes in, once for all who watch in this process, and only while somebody does. */
@Injectable()
export class TailFeed implements OnModuleInit, OnApplicationBootstrap {
  private readonly warning = new ThrottledWarning(new Logger(TailFeed.name));
  private readonly processId = randomUUID();
  private readonly seats = new Set<TailListener>();
  private readonly audience = new TailAudience();
  /** Those who come, and where the tail was then. */
  private readonly coming = new Map<TailListener, string>();
  private started: Promise<void> | undefined;
  private rested: Promise<void> = Promise.resolve();
  private loop: BackgroundLoop | undefined;
  private snapshot = '';
  private signOfLifeAt = 0;
  private restAt = 0;
  private closed = false;

  constructor(
    private readonly database: Database,
    private readonly reader: TailReader,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    // The server waits for requests under way, and these would never end.
    fastify.addHook('preClose', () => this.close());
  }

  /** What a process has left that was killed. */
  async onApplicationBootstrap(): Promise<void> {
    await pruneTail(this.database);
  }

  /**
   * Whatever is accepted from now on is told to the listener, until its stream is closed.
   * @throws TooManyListenersError
   */
  async join(listener: TailListener): Promise<void> {
    if (this.closed || this.seats.size >= MAX_LISTENERS) throw new TooManyListenersError();
    this.seats.add(listener);
    listener.stream.once('close', () => this.leave(listener));
    try {
      await this.follow();
      const here = await tailNow(this.database);
      if (this.seats.has(listener)) this.coming.set(listener, here);
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    listener.begin();
    if (this.closed) listener.end();
  }

  private leave(listener: TailListener): void {
    this.seats.delete(listener);
    this.coming.delete(listener);
    this.audience.remove(listener);
    this.restAt = performance.now() + LINGER_MS;
  }

  private follow(): Promise<void> {
    this.started ??= this.start().catch((error: unknown) => {
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  private async start(): Promise<void> {
    await this.rested;
    await this.giveSignOfLife();
    this.snapshot = await tailNow(this.database);
    this.loop = new BackgroundLoop(
      () => this.round(),
      ROUND_MS,
      (error) => this.warning.warn(`What comes in cannot be followed: ${String(error)}`),
    );
    this.loop.start();
  }

  private async round(): Promise<void> {
    if (this.seats.size === 0 && performance.now() >= this.restAt) return this.rest();
    this.audience.tick();
    if (performance.now() >= this.signOfLifeAt) await this.giveSignOfLife();
    const coming = [...this.coming];
    this.snapshot = await this.reader.tell(this.audience, this.snapshot);
    for (const [listener, here] of coming) await this.seat(listener, here);
  }

  /**
   * Tells a listener what came since it is here, or since it was here before. From now on it is one of the audience.
   */
  private async seat(listener: TailListener, here: string): Promise<void> {
    const alone = new TailAudience([listener]);
    const since = listener.resumeAt ?? here;
    await this.reader.tell(alone, since, this.snapshot).catch(async (error: unknown) => {
      if (since === here || !refusesValues(error)) throw error;
      await this.reader.tell(alone, here, this.snapshot); // What it sent is no snapshot.
    });
    if (this.coming.delete(listener)) this.audience.add(listener);
  }

  private async giveSignOfLife(): Promise<void> {
    await enterListener(this.processId, this.database);
    await pruneTail(this.database);
    this.signOfLifeAt = performance.now() + SIGN_OF_LIFE_MS;
  }

  private async rest(): Promise<void> {
    void this.loop?.stop();
    this.started = undefined;
    this.rested = this.withdraw();
    await this.rested;
  }

  private async withdraw(): Promise<void> {
    try {
      await withdrawListener(this.processId, this.database);
      await pruneTail(this.database);
    } catch (error) {
      // May stop here: a process that gives no sign of life is gone.
      this.warning.warn(`What came in stays noted for a while: ${String(error)}`);
    }
  }

  private async close(): Promise<void> {
    this.closed = true;
    for (const listener of this.seats) listener.end();
    if (this.started === undefined) return;
    await this.loop?.stop();
    await this.withdraw();
  }
}
