import { Worker } from 'node:worker_threads';
import type { SandboxResult } from './sandbox-result';
import { LOOK_MS, MAX_LOOKS, MAX_START_LOOKS } from './sandbox-limits';
import type { AnswerMessage, CallMessage } from './sandbox-worker';

/** Beyond this the thread ends itself: its engines hold a multiple of what a call may have, at most. */
const MAX_HEAP_MB = 128;
/** The engine bounds its own stack, which takes some times as much of that of the thread. */
const STACK_MB = 16;

/**
 * The results of some calls, or that the thread has ended: one of them took too long, or was too much for it, or it
 * could not start, which no call is to blame for.
 */
type RunOutcome = readonly SandboxResult[] | 'timed_out' | 'broke_down' | 'not_started';

/** A thread with an engine, for one run at a time. */
export class SandboxThread {
  private readonly worker = new Worker(require.resolve('./sandbox-worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, stackSizeMb: STACK_MB },
    // Secrets may be in it.
    env: {},
  });
  private settle: ((outcome: RunOutcome) => void) | undefined;
  private started = false;
  private ended = false;

  constructor() {
    // It keeps no process from ending.
    this.worker.unref();
    this.worker.on('message', (answer: AnswerMessage) => {
      if (answer === 'started') this.started = true;
      else this.answer(answer);
    });
    this.worker.on('error', () => this.end());
    this.worker.on('exit', () => this.end());
  }

  /** Whether it takes no more calls. */
  get isEnded(): boolean {
    return this.ended;
  }

  /** Makes calls one after the other. */
  async run(calls: readonly CallMessage[]): Promise<RunOutcome> {
    let looks = 0;
    let startLooks = 0;
    const timer = setInterval(() => {
      if (this.started) looks += 1;
      else startLooks += 1;
      if (looks === MAX_LOOKS) this.stop('timed_out');
      else if (startLooks === MAX_START_LOOKS) this.stop('not_started');
    }, LOOK_MS);
    try {
      return await new Promise<RunOutcome>((resolve) => {
        this.settle = resolve;
        this.worker.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
        this.worker.postMessage(calls);
      });
    } finally {
      clearInterval(timer);
      this.worker.unref();
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private stop(outcome: RunOutcome): void {
    this.ended = true;
    this.answer(outcome);
    void this.worker.terminate();
  }

  private end(): void {
    this.ended = true;
    this.answer(this.started ? 'broke_down' : 'not_started');
  }

  private answer(outcome: RunOutcome): void {
    this.settle?.(outcome);
    this.settle = undefined;
  }
}
