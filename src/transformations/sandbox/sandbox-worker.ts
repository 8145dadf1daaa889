import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Engine } from './engine';
import { pinHostClock } from './pin-host-clock';
import { ownCpuFile } from './thread-cpu-time';
import type { SandboxedCode, SandboxResult } from './sandbox-result';

/** As of nice(1): where there are not enough cores it has a tenth of what the others have. */
const NICENESS = 10;

/** A call as a thread gets it. */
export interface CallMessage {
  readonly code: SandboxedCode;
  /** Null: the code is only loaded. */
  readonly args: string | null;
}

/** What a thread says once its engine has started. */
export interface StartedMessage {
  /** See {@link ownCpuFile}. */
  readonly cpuFile: string | undefined;
}

/** That it has started, or what it answers to a list of calls: one of these to each, in their order. */
export type AnswerMessage = StartedMessage | readonly SandboxResult[];

letOthersGoFirst();
pinHostClock();
const engine = new Engine();

void start();

async function start(): Promise<void> {
  await engine.start();
  answer({ cpuFile: ownCpuFile() });
  // What came before waits in the port.
  parentPort?.on('message', (calls: readonly CallMessage[]) => void runAll(calls));
}

async function runAll(calls: readonly CallMessage[]): Promise<void> {
  const results: SandboxResult[] = [];
  for (const { code, args } of calls) results.push(await engine.run(code, args));
  answer(results);
}

function answer(message: AnswerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
  parentPort?.postMessage(message);
}

/** The service, its database and whatever else there is. On Linux a priority is of a thread, elsewhere of a process. */
function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICENESS);
  } catch {
    // May stop here: a container may forbid it, and all works without.
  }
}
