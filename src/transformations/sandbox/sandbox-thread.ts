import { Worker } from 'node:worker_threads';
import type { SandboxedCode, SandboxResult } from './sandbox-result';
import { LOOK_MS, MAX_LOOKS } from './sandbox-limits';
import type { AnswerMessage, CallMessage } from './sandbox-worker';

/** Beyond this the thread ends itself: its engines hold a multiple of what a call may have, at most. */
const MAX_HEAP_MB = 128;
/** The engine bounds its own stack, which takes some times as much of that of the thread. */
const STACK_MB = 16;

/** A thread with an engine, for one call at a time. */
export class SandboxThread {
  private readonly worker = new Worker(require.resolve('./sandbox-worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, stackSizeMb: STACK_MB },
    // Secrets may be in it.
    env: {},
  });
  private settle: ((result: SandboxResult | undefined) => void) | undefined;
  private ended = false;

  constructor() {
    // It keeps no process from ending.
    this.worker.unref();
    this.worker.on('message', (answer: AnswerMessage) => this.answer(answer));
    this.worker.on('error', () => this.end());
    this.worker.on('exit', () => this.end());
  }

  /** Whether it takes no more calls. */
  get isEnded(): boolean {
    return this.ended;
  }

  /** Undefined when the thread broke down. A call that takes too long ends it. */
  async run(code: SandboxedCode, args: string | null): Promise<SandboxResult | undefined> {
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks === MAX_LOOKS) this.stop();
    }, LOOK_MS);
    try {
      return await new Promise<SandboxResult | undefined>((resolve) => {
        this.settle = resolve;
        this.worker.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
        this.worker.postMessage({ code, args } satisfies CallMessage);
      });
    } finally {
      clearInterval(timer);
      this.worker.unref();
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private stop(): void {
    this.answer({ failure: { kind: 'timed_out', message: 'It took too long' } });
    this.ended = true;
    void this.worker.terminate();
  }

  private end(): void {
    this.ended = true;
    this.answer(undefined);
  }

  private answer(result: SandboxResult | undefined): void {
    this.settle?.(result);
    this.settle = undefined;
  }
}
