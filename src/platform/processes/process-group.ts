import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import { BootError } from '../boot/boot-error';
import { MetricsRelay } from './metrics-relay';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A process that lived for this long has died of another cause than those before it. */
const STEADY_MS = 60_000;

interface ProcessGroupOptions {
  /** How many. */
  readonly processes: number;
  /** The program they run; its first argument is the number of the process. */
  readonly program: string;
  /** Environment variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

interface Slot {
  readonly number: number;
  /** Times in a row that its process died young. */
  deaths: number;
}

/**
 * Several processes of one program that share a port: this process holds it and hands connections out in turn, so the
 * port stays open whichever of the others dies. One that dies is replaced, after growing pauses when it keeps dying.
 */
export class ProcessGroup {
  private readonly logger = new Logger('Processes');
  private readonly relay = new MetricsRelay(() =>
    Object.values(cluster.workers ?? {}).flatMap((one) => one ?? []),
  );
  /** The first process has listened: from now on those that die are replaced. */
  private started = false;
  private stopping = false;

  constructor(private readonly options: ProcessGroupOptions) {}

  /**
   * Starts the first process, and the others once it listens. Returns the address it listens on.
   * @throws BootError when the first one ends instead.
   */
  async start(): Promise<{ readonly port: number }> {
    cluster.on('message', (worker, message: unknown) => void this.relay.onMessage(worker, message));
    const address = await firstAddress(this.fork({ number: 1, deaths: 0 }));
    this.started = true;
    for (let number = 2; number <= this.options.processes; number += 1) {
      this.fork({ number, deaths: 0 });
    }
    return address;
  }

  /** Asks all to stop as they do on SIGTERM, and waits for them. Their own deadlines bound it. */
  async stop(): Promise<void> {
    this.stopping = true;
    const running = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
    await Promise.all(
      running.map(
        (worker) =>
          new Promise<void>((resolve) => {
            if (worker.isDead()) return resolve();
            worker.once('exit', () => resolve());
            worker.process.kill('SIGTERM');
          }),
      ),
    );
  }

  private fork(slot: Slot): Worker {
    const { program, env } = this.options;
    cluster.setupPrimary({ exec: program, args: [String(slot.number)] });
    const startedAt = performance.now();
    const worker = cluster.fork(env);
    worker.once('exit', (code, signal) => {
      if (this.stopping || !this.started) return;
      const livedMs = performance.now() - startedAt;
      slot.deaths = livedMs > STEADY_MS ? 1 : slot.deaths + 1;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (slot.deaths - 1), MAX_PAUSE_MS);
      this.logger.warn('A process has died and is started again', {
        process: slot.number,
        pid: worker.process.pid,
        reason: signal === null || signal === '' ? `exit code ${code}` : signal,
        pauseMs,
      });
      setTimeout(() => {
        if (!this.stopping) this.fork(slot);
      }, pauseMs);
    });
    return worker;
  }
}

function firstAddress(first: Worker): Promise<{ readonly port: number }> {
  return new Promise((resolve, reject) => {
    first.once('listening', ({ port }) => resolve({ port }));
    first.once('exit', () => reject(new BootError('The service cannot start: see the line above.')));
  });
}
