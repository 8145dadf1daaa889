import { Worker } from 'node:worker_threads';
import type { SandboxResult } from './sandbox-result';
import { LOOK_MS, MAX_LOOKS, MAX_START_LOOKS } from './sandbox-limits';
import type { AnswerMessage, CallMessage, StartedMessage } from './sandbox-worker';
import { readCpuMs } from './thread-cpu-time';

/** Beyond this the thread ends itself: its engines hold a multiple of what a call may have, at most. */
const MAX_HEAP_MB = 128;
/** The engine bounds its own stack, which takes some times as much of that of the thread. */
const STACK_MB = 16;

/**
 * The results of some calls, or that the thread has ended: one of them took too long, or was too much for it, or it
 * could not start or stood still, which no call is to blame for.
 */
type RunOutcome = readonly SandboxResult[] | 'timed_out' | 'broke_down' | 'stood_still';

/** A thread with an engine, for one run at a time. */
export class SandboxThread {
  private readonly worker = new Worker(require.resolve('./sandbox-worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, stackSizeMb: STACK_MB },
    // Secrets may be in it.
    env: {},
  });
  private settle: ((outcome: RunOutcome) => void) | undefined;
  private started: StartedMessage | undefined;
  private ended = false;

  constructor() {
    // It keeps no process from ending.
    this.worker.unref();
    this.worker.on('message', (answer: AnswerMessage) => {
      if ('cpuFile' in answer) this.started = answer;
      else this.answer(answer);
    });
    this.worker.on('error', () => this.end());
    this.worker.on('exit', () => this.end());
  }

  /** Whether it takes no more calls. */
  get isEnded(): boolean {
    return this.ended;
  }

  /** Makes calls one after the other. @param maxCpuMs what they may take together */
  async run(calls: readonly CallMessage[], maxCpuMs: number): Promise<RunOutcome> {
    let looks = 0;
    let startLooks = 0;
    let cpuBeforeMs = this.cpuMs;
    const timer = setInterval(() => {
      if (this.started === undefined) {
        startLooks += 1;
        if (startLooks === MAX_START_LOOKS) this.stop('stood_still');
        return;
      }
      looks += 1;
      const { cpuMs } = this;
      cpuBeforeMs ??= cpuMs;
      const ranMs = cpuMs === undefined || cpuBeforeMs === undefined ? looks * LOOK_MS : cpuMs - cpuBeforeMs;
      if (ranMs >= maxCpuMs) this.stop('timed_out');
      else if (looks === MAX_LOOKS) this.stop('stood_still');
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

  /** How long it has run; undefined where the system does not say so. */
  private get cpuMs(): number | undefined {
    const cpuFile = this.started?.cpuFile;
    return cpuFile === undefined ? undefined : readCpuMs(cpuFile);
  }

  private stop(outcome: RunOutcome): void {
    this.ended = true;
    this.answer(outcome);
    void this.worker.terminate();
  }

  private end(): void {
    this.ended = true;
    this.answer(this.started === undefined ? 'stood_still' : 'broke_down');
  }

  private answer(outcome: RunOutcome): void {
    this.settle?.(outcome);
    this.settle = undefined;
  }
}
