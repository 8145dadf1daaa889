import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Processor, Worker, type WorkerOptions } from 'bullmq';
import { backendOf } from './queue-backend';
import { QueueErrors } from './queue-errors';

/** A worker that closes tells its jobs to stop after this share of the time it has. */
const PATIENCE_SHARE = 0.75;
const DEFAULT_CLOSE_TIMEOUT_MS = 20_000;
/** One that has no job in hand only waits for the queue to answer, which may be silent. */
const IDLE_CLOSE_TIMEOUT_MS = 1_000;
/**
 * Every BullMQ worker of the service.
 * - Where producers fail fast, a worker waits for the queue to come back.
 * - A job whose worker was killed is picked up again however often that happens (BullMQ's default gives up at
 *   the second time, with a job that may never have run).
 * - Closing waits for running jobs, then aborts them through the `signal` of `process(job, token, signal)`,
 *   then leaves them. So the time is bounded. A job that was left becomes stalled and runs elsewhere.
 * - A worker that hears nothing of new jobs looks for some as often as the backend says.
 */
export class CdpWorker extends Worker {
  private readonly logger: Logger;
  private readonly closeMsLeft: () => number;
  private readonly maxBlockSeconds: number;
  /** Boot has reached PostgreSQL; Redis need not have been there yet. */
  private wasConnected: boolean;
  private bounded: Promise<void> | undefined;

  constructor(name: string, processor?: string | URL | null | Processor, options?: WorkerOptions) {
    const backend = backendOf(options?.connection);
    super(backend?.nameOf(name) ?? name, processor, {
      maxStalledCount: 1_000,
      ...(backend && { drainDelay: backend.maxBlockSeconds }),
      ...options,
      connection: backend?.workerConnection ?? options?.connection,
    } as WorkerOptions);
    this.maxBlockSeconds = backend?.maxBlockSeconds ?? Infinity;
    this.closeMsLeft = backend?.workerCloseMsLeft ?? (() => DEFAULT_CLOSE_TIMEOUT_MS);
    this.wasConnected = backend?.kind === 'postgres';
    this.once('ready', () => (this.wasConnected = true));
    this.logger = new Logger(`Worker ${name}`);
    const errors = new QueueErrors(this.logger, backend?.outage);
    this.on('error', (error) => errors.log(error));
  }

  override get maximumBlockTimeout(): number {
    return Math.min(super.maximumBlockTimeout, this.maxBlockSeconds);
  }

  /** Resolves within the grace period of the process, also when a job does not end. Never rejects. */
  override close(force = false): Promise<void> {
    // BullMQ would wait for a connection that was never made, though no job can have come by it.
    this.bounded ??= this.closeInTime(super.close(force || !this.wasConnected));
    return this.bounded;
  }

  private async closeInTime(closing: Promise<void>): Promise<void> {
    const isClosed = await endsWithin(closing, Math.min(this.closeMsLeft(), IDLE_CLOSE_TIMEOUT_MS));
    if (isClosed || this.lockManager.getActiveJobCount() === 0) return;
    const timeoutMs = this.closeMsLeft();
    if (await endsWithin(closing, timeoutMs * PATIENCE_SHARE)) return;
    this.cancelAllJobs('The service is shutting down.');
    if (await endsWithin(closing, timeoutMs * (1 - PATIENCE_SHARE))) return;
    this.logger.warn(
      'Jobs were still running at the end of the grace period; another worker takes them over.',
    );
  }
}

async function endsWithin(closing: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  // BullMQ reports errors as 'error' events. A rejection also means that closing is over.
  const ended = closing.then(
    () => true,
    () => true,
  );
  const late = delay(timeoutMs, false, { signal: timer.signal, ref: false }).catch(() => false);
  const result = await Promise.race([ended, late]);
  timer.abort();
  return result;
}
