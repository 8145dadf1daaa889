import {
  type MemoryImage,
  type MemoryLayout,
  layoutOf,
  putBack,
  sizeOf,
  takeImage,
  usedEnd,
} from './memory-image';
import { CODE_NAME, PRELUDE } from './prelude';
import { QuickJs } from './quick-js';
import type { SandboxedCode, SandboxFailure, SandboxResult } from './sandbox-result';

/** Codes that wait in memory for their next call. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 500;
/** What a code that cannot be loaded counts for. */
const FAILURE_BYTES = 1024;

type Func = ReturnType<QuickJs['evaluate']>;

/**
 * Runs code of operators. Each call begins with the memory as it was when its code had just been loaded, byte by byte:
 * nothing that another call did can be seen, down to the order of hash tables.
 */
export class Engine {
  /** Of the engine that runs, by the id of the code, least recently used first. */
  private readonly kept = new Map<string, MemoryImage | SandboxFailure>();
  private keptBytes = 0;
  private running: Running | undefined;

  /** What the first call would do otherwise. */
  async start(): Promise<void> {
    this.running ??= await this.startAnew();
  }

  /** @param args null: the code is only loaded, and the result is null where it can be */
  async run(code: SandboxedCode, args: string | null): Promise<SandboxResult> {
    this.running ??= await this.startAnew();
    const { js } = this.running;
    try {
      return this.runIn(this.running, code, args);
    } catch (error) {
      // WebAssembly itself gave up, a stack that was too deep for one. Its memory is in no known state.
      this.running = undefined;
      return { failure: { kind: 'threw', message: `The engine stopped: ${String(error)}` } };
    } finally {
      // Memory does not shrink.
      if (js.hasGrown) this.running = undefined;
    }
  }

  private async startAnew(): Promise<Running> {
    this.kept.clear();
    this.keptBytes = 0;
    return start();
  }

  private runIn(running: Running, code: SandboxedCode, args: string | null): SandboxResult {
    const image = this.imageOf(running, code);
    if ('kind' in image) return { failure: image };
    if (args === null) return { json: 'null' };
    const { js, layout, call } = running;
    putBack(js.bytes, image, layout);
    js.restartInterrupts();
    const returned = js.call(call, js.newString(args));
    const error = js.thrown(returned);
    if (error !== undefined) return { failure: describe(running, error, 'threw') };
    const text = js.textOf(returned);
    if (text === '?') return { asks: true };
    return text.startsWith('=')
      ? { json: text.slice(1) }
      : { failure: { kind: 'bad_result', message: clip(text.slice(1)) } };
  }

  private imageOf(running: Running, code: SandboxedCode): MemoryImage | SandboxFailure {
    const known = this.kept.get(code.id);
    if (known !== undefined) {
      this.kept.delete(code.id);
      this.kept.set(code.id, known);
      return known;
    }
    const image = load(running, code.text);
    this.kept.set(code.id, image);
    this.keptBytes += bytesOf(image);
    this.forgetOldest();
    return image;
  }

  private forgetOldest(): void {
    for (const [id, image] of this.kept) {
      if (this.keptBytes <= MAX_KEPT_BYTES || this.kept.size === 1) return;
      this.kept.delete(id);
      this.keptBytes -= bytesOf(image);
    }
  }
}

/** An engine with the prelude in it. */
interface Running {
  readonly js: QuickJs;
  readonly layout: MemoryLayout;
  /** As it is before a code is loaded. */
  readonly empty: MemoryImage;
  readonly accept: Func;
  readonly call: Func;
  readonly describe: Func;
}

async function start(): Promise<Running> {
  const js = await QuickJs.start();
  const layout = layoutOf(js.bytes);
  const functions = js.evaluate(PRELUDE, 'prelude.js', false);
  if (js.thrown(functions) !== undefined) throw new Error('The prelude does not run.');
  const [accept, call, tell] = [0, 1, 2].map((index) => js.element(functions, index)) as [Func, Func, Func];
  return { js, layout, empty: takeImage(js.bytes, layout), accept, call, describe: tell };
}

function load(running: Running, text: string): MemoryImage | SandboxFailure {
  const { js, layout, empty, accept } = running;
  js.bytes.fill(0, layout.heapStart, usedEnd(js.bytes));
  putBack(js.bytes, empty, layout);
  js.restartInterrupts();
  const namespace = js.evaluate(text, CODE_NAME, true);
  const problem = js.thrown(namespace);
  if (problem !== undefined) return describe(running, problem, 'syntax');
  const answer = js.call(accept, namespace);
  const error = js.thrown(answer);
  if (error !== undefined) return describe(running, error, 'syntax');
  const message = js.textOf(answer);
  if (message !== '') return { kind: 'syntax', message };
  // The image would not fit into the next engine.
  return js.hasGrown ? OUT_OF_MEMORY : takeImage(js.bytes, layout);
}

function describe({ js, describe: tell }: Running, error: Func, kind: 'threw' | 'syntax'): SandboxFailure {
  const tookTooLong = js.isInterrupted;
  js.allowSomeMore();
  const told = js.call(tell, error);
  const isTold = js.thrown(told) === undefined;
  if (tookTooLong || (!isTold && js.isInterrupted)) return TOOK_TOO_LONG;
  const [message = '', stack = ''] = isTold ? (JSON.parse(js.textOf(told)) as string[]) : [];
  // There may be no memory left for the error that says so: then it is null.
  if (!isTold || message === 'null') return OUT_OF_MEMORY;
  const isOfMemory = OF_MEMORY.includes(message);
  return { kind: isOfMemory ? 'out_of_memory' : kind, message: clip(message), ...lineOf(stack) };
}

const TOOK_TOO_LONG: SandboxFailure = { kind: 'timed_out', message: 'It took too long' };
const OUT_OF_MEMORY: SandboxFailure = { kind: 'out_of_memory', message: 'It took too much memory' };
const OF_MEMORY: readonly string[] = ['InternalError: out of memory', 'InternalError: string too long'];

/** Where the topmost call of the operator's code was. */
function lineOf(stack: string): { line?: number } {
  const [, line] = /transformation\.js:(\d+)/.exec(stack) ?? [];
  return line === undefined ? {} : { line: Number(line) };
}

function clip(message: string): string {
  return message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

function bytesOf(image: MemoryImage | SandboxFailure): number {
  return 'kind' in image ? FAILURE_BYTES : sizeOf(image);
}
