import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DependencyDownError } from '../../platform/http/problems/problem';
import { isFailure, type SandboxedCode, type SandboxFailure, type SandboxResult } from './sandbox-result';
import { FIRST_CPU_MS, MAX_CPU_MS } from './sandbox-limits';
import { SandboxThread } from './sandbox-thread';
import { FairQueue } from './fair-queue';

/** The service has work of its own. */
const MAX_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
/** How often a call is made again whose thread broke down. */
const MAX_BREAKDOWNS = 2;
const BROKEN_DOWN: SandboxResult = { failure: { kind: 'out_of_memory', message: 'It broke down' } };
const TIMED_OUT: SandboxResult = { failure: { kind: 'timed_out', message: 'It took too long' } };

interface Call {
  readonly code: SandboxedCode;
  readonly args: string | null;
  readonly resolve: (result: SandboxResult) => void;
  readonly reject: (error: Error) => void;
  /** It was among calls that ended their thread: nobody knows which of them did. It goes alone, with all the time. */
  suspected: boolean;
  breakdowns: number;
}

/**
 * Runs code of operators beside the service: in threads, which are started with the first call. Of several codes the
 * one that took least time goes next, so that a slow one slows itself.
 */
@Injectable()
export class Sandbox implements OnModuleDestroy {
  protected readonly maxThreads: number = MAX_THREADS;
  private readonly logger = new Logger(Sandbox.name);
  private readonly calls = new FairQueue<Call>(({ suspected }) => suspected);
  private readonly threads = new Set<SandboxThread>();
  private readonly idle: SandboxThread[] = [];

  /**
   * Calls `transform` of the code. The same code and arguments give the same bytes each time.
   * @param args a JSON array, the arguments; a second one that is null is one that can be had
   * @throws DependencyDownError when there is no thread to make it, which says nothing of the code
   */
  run(code: SandboxedCode, args: string): Promise<SandboxResult> {
    return this.call(code, args);
  }

  /** What is wrong with a code that is only loaded. @throws DependencyDownError as `run` */
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
    return new Promise((resolve, reject) => {
      this.calls.add(code.id, { code, args, resolve, reject, suspected: false, breakdowns: 0 });
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
    try {
      const thread = new SandboxThread();
      this.threads.add(thread);
      return thread;
    } catch (error) {
      // May stop here: the system makes no more threads, and those that are there do the work.
      this.logger.warn(`Transformations get no thread: ${String(error)}`);
      if (this.threads.size === 0) for (const { reject } of this.calls.drop()) reject(notThere());
      return undefined;
    }
  }

  /** Never rejects. */
  private async work(thread: SandboxThread): Promise<void> {
    let calls = this.calls.next();
    while (calls.length > 0) {
      await this.make(calls, thread);
      if (thread.isEnded) {
        this.threads.delete(thread);
        return this.startWork();
      }
      calls = this.calls.next();
    }
    this.idle.push(thread);
  }

  /** @param calls of one code */
  private async make(calls: readonly Call[], thread: SandboxThread): Promise<void> {
    const start = performance.now();
    const maxCpuMs = calls.some(({ suspected }) => suspected) ? MAX_CPU_MS : FIRST_CPU_MS;
    const messages = calls.map(({ code, args }) => ({ code, args }));
    const outcome = await thread.run(messages, maxCpuMs);
    this.calls.used(calls[0]?.code.id ?? '', performance.now() - start, calls.length);
    for (const [index, call] of calls.entries()) {
      if (outcome === 'stood_still') call.reject(notThere());
      else if (typeof outcome === 'string') this.end(call, outcome, calls.length === 1);
      else call.resolve(outcome[index] ?? BROKEN_DOWN);
    }
  }

  /** @param wasAlone whether the thread ended because of this call */
  private end(call: Call, outcome: 'timed_out' | 'broke_down', wasAlone: boolean): void {
    if (call.suspected && outcome === 'timed_out') return call.resolve(TIMED_OUT);
    if (wasAlone && outcome === 'broke_down') call.breakdowns += 1;
    if (call.breakdowns >= MAX_BREAKDOWNS) return call.resolve(BROKEN_DOWN);
    call.suspected = true;
    this.calls.add(call.code.id, call);
  }
}

function notThere(): DependencyDownError {
  return new DependencyDownError('The sandbox of transformations');
}
