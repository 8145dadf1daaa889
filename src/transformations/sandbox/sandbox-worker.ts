import { parentPort } from 'node:worker_threads';
import { Engine } from './engine';
import type { SandboxResult } from './sandbox-result';

/** A call as a thread gets it. The text of a code comes with its first call. */
export interface CallMessage {
  readonly codeId: string;
  readonly text: string | undefined;
  /** Null: the code is only loaded. */
  readonly args: string | null;
}

/** What a thread answers: one of these to each call, in their order. */
export type AnswerMessage = SandboxResult;

const engine = new Engine();
const texts = new Map<string, string>();

parentPort?.on('message', ({ codeId, text, args }: CallMessage) => {
  if (text !== undefined) texts.set(codeId, text);
  void engine
    .run({ id: codeId, text: texts.get(codeId) ?? '' }, args)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
    .then((result) => parentPort?.postMessage(result satisfies AnswerMessage));
});
