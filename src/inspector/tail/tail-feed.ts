import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { placeNow, pruneTail } from '../../events/tail/read-tail';
import { enterListener, withdrawListener } from '../../events/tail/tail-listeners';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { Database } from '../../platform/database/database';
import { refusesValues } from '../../platform/database/failure';
import { ThrottledWarning } from '../../platform/queues/throttled-warning';
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
  private readonly resuming = new Set<TailListener>();
  private started: Promise<void> | undefined;
  private rested: Promise<void> = Promise.resolve();
  private loop: BackgroundLoop | undefined;
  private place = '';
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
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    listener.begin();
    if (this.closed) return listener.end();
    if (listener.resumeAt === undefined) this.audience.add(listener);
    else this.resuming.add(listener);
  }

  private leave(listener: TailListener): void {
    this.seats.delete(listener);
    this.resuming.delete(listener);
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
    this.place = await placeNow(this.database);
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
    for (const listener of this.resuming) await this.resume(listener);
    this.place = await this.reader.tell(this.audience, this.place);
  }

  /** Tells a listener that was here before what came since. */
  private async resume(listener: TailListener): Promise<void> {
    try {
      await this.reader.tell(new TailAudience([listener]), listener.resumeAt ?? '', this.place);
    } catch (error) {
      if (!refusesValues(error)) throw error; // Its place is none: it begins here.
    }
    if (!this.resuming.delete(listener)) return;
    this.audience.add(listener);
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
