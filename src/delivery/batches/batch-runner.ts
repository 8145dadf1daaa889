import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Breakers } from '../breaker/breakers';
import { type ProbeFinding, probeWith } from '../breaker/probe-with';
import { Config } from '../../platform/config/config';
import { JobCounts } from '../../platform/queues/job-offers';
import type { JobData } from '../../platform/queues/job';
import { type BatchedDestination, DeliveryModes } from '../delivery-modes';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';
import { BatchAttempts, type BatchTryEnd } from './batch-attempts';
import { BatchRoom } from './batch-room';
import { BatchClaims } from './batch-claims';

/** Batches sent at once by one process; their memory has bounds of its own. */
export const BATCHES_AT_ONCE = 64;
const FINDINGS = {
  sent: 'works',
  refused: 'works',
  empty: 'unsent',
  failed: 'down',
  undone: 'down',
} as const;
const RENEWAL_MS = 5_000;
/** Then another destination may have the room. */
const ROUND_MS = 5_000;

/** Takes batches that are due and keeps them in hand while they are sent. */
@Injectable()
export class BatchRunner {
  readonly jobs = new JobCounts(BATCHES_AT_ONCE);
  private readonly logger = new Logger(BatchRunner.name);
  /** Cuts off all tries, those that are about to begin as well. */
  private readonly cancel = new AbortController();
  private stopped: Promise<void> | undefined;
  private readonly running = new Set<Promise<unknown>>();
  private readonly room = new BatchRoom();
  /** Receivers that were down may let probes hang until their time is over: in nobody's way. */
  private readonly roomOfProbes = new BatchRoom();

  constructor(
    private readonly claims: BatchClaims,
    private readonly destinations: ActiveDestinations,
    private readonly modes: DeliveryModes,
    private readonly breakers: Breakers,
    private readonly attempts: BatchAttempts,
    private readonly config: Config,
  ) {
    // One for each try under way.
    setMaxListeners(0, this.cancel.signal);
  }

  /** Batches that this process is sending. */
  get load(): number {
    return this.running.size;
  }

  /**
   * Sends the batch if it is due and no other worker has it, and those of its destination that are due after it. What
   * there is no room for stays due. Returns whether this try of the batch was begun.
   * @throws when PostgreSQL is away; it is due again then
   */
  async run({ batchId, destinationId }: JobData<'batches'>): Promise<boolean> {
    if (this.isStopping) return false;
    const to = this.modes.batched(destinationId);
    if (to !== undefined && !this.room.hasRoom({ isRequest: to.isRequest, destinationId: to.destination.id }))
      return false;
    return this.track(this.sendRound(batchId));
  }

  /**
   * Probes with the batch that was tried longest ago. One that fails costs its events none of their tries, unless the
   * receiver is there and refuses a single one.
   * @throws as {@link run}
   */
  probe(to: BatchedDestination): Promise<ProbeFinding> {
    const { id } = to.destination;
    return probeWith({
      claim: async () => (this.isStopping ? undefined : this.track(this.claims.claimBatchToProbe(id))),
      hasPending: () => this.claims.hasUnsent(id),
      attempt: async (batch) => FINDINGS[await this.track(this.attempt(batch, to, true))],
    });
  }

  /** Begins with nothing more, and waits for what is being sent, within bounds: what takes longer is cut off. */
  stop(): Promise<void> {
    return (this.stopped ??= this.endTries());
  }

  private get isStopping(): boolean {
    return this.stopped !== undefined;
  }

  private async endTries(): Promise<void> {
    const ended = Promise.allSettled(this.running);
    const late = delay(this.config.shutdown.triesMs, undefined, { ref: false });
    await Promise.race([ended, late]);
    this.cancel.abort();
    await ended;
  }

  private async sendRound(batchId: string): Promise<boolean> {
    const until = performance.now() + ROUND_MS;
    const first = await this.claims.claimBatch(batchId);
    let batch = first;
    while (batch !== undefined) {
      const wasSent = await this.send(batch);
      const goesOn = wasSent && performance.now() < until && !this.isStopping;
      batch = goesOn ? await this.claims.claimNextBatch(batch.destinationId) : undefined;
    }
    return first !== undefined;
  }

  /** Whether the next one may follow at once. */
  private async send(batch: ClaimedBatch): Promise<boolean> {
    await this.destinations.refresh();
    const to = this.openDestination(batch.destinationId);
    if (to === undefined) return this.giveBack(batch);
    const end = await this.attempt(batch, to, false);
    return end === 'sent' || end === 'empty' || end === 'refused';
  }

  private async giveBack({ id }: ClaimedBatch): Promise<false> {
    await this.claims.giveBackBatch(id);
    return false;
  }

  /** Where there is no room it stays `undone`, due at once. */
  private async attempt(batch: ClaimedBatch, to: BatchedDestination, isProbe: boolean): Promise<BatchTryEnd> {
    const room = isProbe ? this.roomOfProbes : this.room;
    const taker = { isRequest: to.isRequest, destinationId: to.destination.id, bytes: batch.bytes };
    const end = room.enter(taker)
      ? await this.attemptInRoom(batch, to, isProbe).finally(() => room.leave(taker))
      : 'undone';
    if (end === 'undone') await this.giveBack(batch);
    return end;
  }

  private async attemptInRoom(
    batch: ClaimedBatch,
    to: BatchedDestination,
    isProbe: boolean,
  ): Promise<BatchTryEnd> {
    const cut = new AbortController();
    const cutOff = (): void => cut.abort();
    if (this.cancel.signal.aborted) cutOff();
    this.cancel.signal.addEventListener('abort', cutOff);
    const renewal = setInterval(() => void this.renew(batch, cut), RENEWAL_MS);
    try {
      return await this.attempts.make(batch, to, { cancel: cut.signal, isProbe });
    } finally {
      clearInterval(renewal);
      this.cancel.signal.removeEventListener('abort', cutOff);
    }
  }

  /** What this process has begun is waited for when it stops. Where PostgreSQL is away the batch stays leased. */
  private async track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    try {
      return await work;
    } catch (error) {
      this.claims.noteLeft();
      throw error;
    } finally {
      this.running.delete(work);
    }
  }

  /** Undefined when nothing may be sent to it. */
  private openDestination(destinationId: string): BatchedDestination | undefined {
    const to = this.modes.batched(destinationId);
    return to?.destination.enabled === true && !this.breakers.isOpen(destinationId) ? to : undefined;
  }

  /** What was deleted meanwhile, or gets no batches any more, gets no more of this one either. */
  private async renew({ id, destinationId }: ClaimedBatch, cut: AbortController): Promise<void> {
    if (this.modes.batched(destinationId) === undefined) return cut.abort();
    try {
      await this.claims.extendBatch(id);
    } catch (error) {
      // May stop here: should another worker take the batch, both write the same.
      this.logger.warn('The lease of a batch was not renewed', { batchId: id, reason: String(error) });
    }
  }
}
