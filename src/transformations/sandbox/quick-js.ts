import { readFileSync } from 'node:fs';
import loadEngine from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';
import type { JSContextPointer, JSValuePointer, QuickJSEmscriptenModule } from '@jitl/quickjs-ffi-types';
import { MAX_INTERRUPTS, MEMORY_BYTES, STACK_BYTES } from './sandbox-limits';

const PAGE_BYTES = 65_536;
/** The engine's stack and all that a call may have. The system gives it as it is used. */
const INITIAL_PAGES = 384;
/** A heap has gaps, so that it may take more than what lives in it. */
const MAX_PAGES = 1024;
const ALL_INTRINSICS = 0;
/** For a function that the host calls after a call has used up its own. */
const EXTRA_INTERRUPTS = 20;
const ENGINE_FILE = require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

type Value = JSValuePointer;

let compiled: WebAssembly.Module | undefined;

/** One engine: a memory of WebAssembly with one context in it. Values are addresses in that memory. */
export class QuickJs {
  private heap: Buffer;
  private interrupts = 0;
  private readonly ffi: QuickJSFFI;
  private readonly context: JSContextPointer;

  private constructor(
    private readonly engine: QuickJSEmscriptenModule,
    private readonly memory: WebAssembly.Memory,
  ) {
    this.ffi = new QuickJSFFI(engine);
    const runtime = this.ffi.QTS_NewRuntime();
    this.ffi.QTS_RuntimeSetMemoryLimit(runtime, MEMORY_BYTES);
    this.ffi.QTS_RuntimeSetMaxStackSize(runtime, STACK_BYTES);
    engine.callbacks = {
      shouldInterrupt: () => ((this.interrupts += 1) > MAX_INTERRUPTS ? 1 : 0),
    } as unknown as QuickJSEmscriptenModule['callbacks'];
    this.ffi.QTS_RuntimeEnableInterruptHandler(runtime);
    this.context = this.ffi.QTS_NewContext(runtime, ALL_INTRINSICS as never);
    this.heap = Buffer.from(memory.buffer);
  }

  static async start(): Promise<QuickJs> {
    compiled ??= new WebAssembly.Module(readFileSync(ENGINE_FILE));
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
    const engine = await loadEngine({
      wasmMemory: memory,
      printErr: () => undefined,
      instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
        done(new WebAssembly.Instance(compiled as WebAssembly.Module, imports));
        return {};
      },
    } as Parameters<typeof loadEngine>[0]);
    return new QuickJs(engine, memory);
  }

  /** All of the engine. Another one after it has grown. */
  get bytes(): Buffer {
    if (this.heap.byteLength !== this.memory.buffer.byteLength) this.heap = Buffer.from(this.memory.buffer);
    return this.heap;
  }

  get hasGrown(): boolean {
    return this.memory.buffer.byteLength > INITIAL_PAGES * PAGE_BYTES;
  }

  /** Whether the call has used up what it may take. */
  get isInterrupted(): boolean {
    return this.interrupts > MAX_INTERRUPTS;
  }

  /** From here on a call may take as long as a call may. */
  restartInterrupts(): void {
    this.interrupts = 0;
  }

  allowSomeMore(): void {
    this.interrupts = MAX_INTERRUPTS - EXTRA_INTERRUPTS;
  }

  evaluate(text: string, name: string, isModule: boolean): Value {
    const [address, length] = this.write(text);
    return this.ffi.QTS_Eval(this.context, address, length, name, 0 as never, (isModule ? 1 : 0) as never);
  }

  element(array: Value, index: number): Value {
    return this.ffi.QTS_GetPropNumber(this.context, array, index);
  }

  newString(text: string): Value {
    const [address] = this.write(text);
    const value = this.ffi.QTS_NewString(this.context, address);
    this.engine._free(address);
    return value;
  }

  call(func: Value, argument: Value): Value {
    const list = this.engine._malloc(4);
    this.bytes.writeUInt32LE(argument, list);
    return this.ffi.QTS_Call(this.context, func, this.ffi.QTS_GetUndefined(), 1, list as never);
  }

  /** What was thrown, if anything was. */
  thrown(value: Value): Value | undefined {
    const error = this.ffi.QTS_ResolveException(this.context, value);
    return error === 0 ? undefined : error;
  }

  /** Up to its first NUL, which JSON has none of. */
  textOf(value: Value): string {
    const address = this.ffi.QTS_GetString(this.context, value);
    const { bytes } = this;
    return bytes.toString('utf8', address, bytes.indexOf(0, address));
  }

  private write(text: string): [address: never, length: number] {
    const length = Buffer.byteLength(text);
    const address = this.engine._malloc(length + 1);
    this.bytes.write(text, address);
    this.bytes[address + length] = 0;
    return [address as never, length];
  }
}
