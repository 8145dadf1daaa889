import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isFailure, type SandboxedCode, type SandboxFailure, type SandboxResult } from './sandbox-result';
import { SandboxThread } from './sandbox-thread';
import { TurnsByTime } from './turns-by-time';

/** The service has work of its own. */
const MAX_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
/** How often a call is made again whose thread broke down. */
const MAX_BREAKDOWNS = 2;
const BROKEN_DOWN: SandboxResult = { failure: { kind: 'out_of_memory', message: 'It broke down' } };

interface Call {
  readonly code: SandboxedCode;
  readonly args: string | null;
  readonly resolve: (result: SandboxResult) => void;
  breakdowns: number;
}

/**
 * Runs code of operators beside the service: in threads, which are started with the first call. Of several codes the one
 * that took least time has its turn, so that a slow one slows itself.
 */
@Injectable()
export class Sandbox implements OnModuleDestroy {
  protected readonly maxThreads: number = MAX_THREADS;
  private readonly calls = new TurnsByTime<Call>();
  private readonly threads = new Set<SandboxThread>();
  private readonly idle: SandboxThread[] = [];

  /**
   * Calls `transform` of the code. The same code and arguments give the same bytes each time.
   * @param args a JSON array, the arguments; a second one that is null is one that can be had
   */
  run(code: SandboxedCode, args: string): Promise<SandboxResult> {
    return this.call(code, args);
  }

  /** What is wrong with a code that is only loaded. */
  async check(text: string): Promise<SandboxFailure | undefined> {
    const result = await this.call(
      { id: `check ${createHash('sha256').update(text).digest('hex')}`, text },
      null,
    );
    return isFailure(result) ? result.failure : undefined;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(Array.from(this.threads, (thread) => thread.close()));
  }

  private call(code: SandboxedCode, args: string | null): Promise<SandboxResult> {
    return new Promise((resolve) => {
      this.calls.add(code.id, { code, args, resolve, breakdowns: 0 });
      this.startWork();
    });
  }

  private startWork(): void {
    const thread = this.idleThread() ?? this.anotherThread();
    if (thread !== undefined) void this.work(thread);
  }

  private idleThread(): SandboxThread | undefined {
    let thread = this.idle.pop();
    while (thread?.isEnded === true) {
      this.threads.delete(thread);
      thread = this.idle.pop();
    }
    return thread;
  }

  private anotherThread(): SandboxThread | undefined {
    if (this.threads.size >= this.maxThreads) return undefined;
    const thread = new SandboxThread();
    this.threads.add(thread);
    return thread;
  }

  /** Never rejects. */
  private async work(thread: SandboxThread): Promise<void> {
    let call = this.calls.next();
    while (call !== undefined) {
      await this.make(call, thread);
      if (thread.isEnded) {
        this.threads.delete(thread);
        return this.startWork();
      }
      call = this.calls.next();
    }
    this.idle.push(thread);
  }

  private async make(call: Call, thread: SandboxThread): Promise<void> {
    const { code, args, resolve } = call;
    const start = performance.now();
    const result = await thread.run(code, args);
    this.calls.used(code.id, performance.now() - start);
    if (result !== undefined) return resolve(result);
    call.breakdowns += 1;
    if (call.breakdowns >= MAX_BREAKDOWNS) resolve(BROKEN_DOWN);
    else this.calls.add(code.id, call);
  }
}
