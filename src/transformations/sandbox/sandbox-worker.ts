import { parentPort } from 'node:worker_threads';
import { Engine } from './engine';
import { pinHostClock } from './pin-host-clock';
import type { SandboxedCode, SandboxResult } from './sandbox-result';

/** A call as a thread gets it. */
export interface CallMessage {
  readonly code: SandboxedCode;
  /** Null: the code is only loaded. */
  readonly args: string | null;
}

/** What a thread answers to a list of calls: one of these to each, in their order. */
export type AnswerMessage = readonly SandboxResult[];

pinHostClock();
const engine = new Engine();

parentPort?.on('message', (calls: readonly CallMessage[]) => void runAll(calls));

async function runAll(calls: readonly CallMessage[]): Promise<void> {
  const results: SandboxResult[] = [];
  for (const { code, args } of calls) results.push(await engine.run(code, args));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
  parentPort?.postMessage(results satisfies AnswerMessage);
}
