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

/** What a thread answers: one of these to each call, in their order. */
export type AnswerMessage = SandboxResult;

pinHostClock();
const engine = new Engine();

parentPort?.on('message', ({ code, args }: CallMessage) => {
  void engine
    .run(code, args)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
    .then((result) => parentPort?.postMessage(result satisfies AnswerMessage));
});
