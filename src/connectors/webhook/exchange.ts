import { subscribe } from 'node:diagnostics_channel';
import type { Dispatcher } from 'undici';
import type { Latency } from '../connector';
import { connectTimesOf } from '../egress/guarded-connect';

/** An answer as it came. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly excerpt: string;
  readonly latency: Latency;
}

/** No whole answer came. `cause` says why, for the log; never shown to tenants. */
export class ExchangeError extends Error {
  constructor(
    override readonly cause: Error,
    /** The connection was kept open from an earlier request, and broke before a byte of an answer. */
    readonly staleConnection: boolean,
    readonly partial: { readonly status?: number; readonly excerpt?: string; readonly latency: Latency },
  ) {
    super(cause.message);
  }
}

export class DeadlineError extends Error {}

const EXCERPT_BYTES = 1024;
/** What is read of an answer before the connection is dropped: its status is all that matters. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Informational answers (1xx) that may come before the real one. Reading more would serve nobody but the sender. */
const MAX_INFORMATIONAL = 20;

/** The exchange whose request undici is writing at this moment: the next message on the channel is about it. */
let starting: Exchange | undefined;
subscribe('undici:client:sendHeaders', (message) => {
  starting?.onSocket((message as { socket: object }).socket);
  starting = undefined;
});

/** One request and its answer on an undici dispatcher, with its own clock and limits. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** In the list of those under way. */
  place = 0;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private headers: HttpAnswer['headers'] = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private informational = 0;
  private sentAt = 0;
  private reused = false;
  private connectLatency: Latency = {};
  private firstByteMs: number | undefined;
  private settled = false;

  constructor(
    /** In milliseconds of `performance.now()`. */
    readonly deadline: number,
    /** Called once. */
    private readonly settle: (result: HttpAnswer | ExchangeError) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) return controller.abort(new DeadlineError('too late'));
    this.sentAt = performance.now();
    starting = this; // oxlint-disable-line typescript/no-this-alias -- read by the channel's subscriber, see above.
  }

  onSocket(socket: object): void {
    const times = connectTimesOf(socket);
    if (times === undefined) return;
    this.reused = times.requests++ > 0;
    if (this.reused) return;
    const { startedAt, resolvedAt, connectedAt, securedAt } = times;
    const connectStart = resolvedAt ?? startedAt;
    this.connectLatency = {
      dnsMs: resolvedAt === undefined ? undefined : resolvedAt - startedAt,
      connectMs: connectedAt === undefined ? undefined : connectedAt - connectStart,
      // On plain http the connection is ready as soon as it is made.
      tlsMs: 'encrypted' in socket && connectedAt !== undefined ? (securedAt ?? 0) - connectedAt : undefined,
    };
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: HttpAnswer['headers'],
  ): void {
    if (status < 200) return this.passOver(controller); // The answer is still to come.
    this.status = status;
    this.headers = headers;
    this.firstByteMs = performance.now() - this.sentAt;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bytes < EXCERPT_BYTES) this.chunks.push(chunk.subarray(0, EXCERPT_BYTES - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes <= MAX_ANSWER_BYTES) return;
    this.complete();
    controller.abort(new Error('The answer is too long.'));
  }

  onResponseEnd(): void {
    this.complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(error);
  }

  /** The deadline has passed. */
  expire(): void {
    const error = new DeadlineError('The deadline of the try has passed.');
    this.fail(error);
    this.controller?.abort(error);
  }

  private passOver(controller: Dispatcher.DispatchController): void {
    this.informational += 1;
    if (this.informational <= MAX_INFORMATIONAL) return;
    const error = Object.assign(new Error('Too many informational answers.'), {
      code: 'UND_ERR_RES_INFORMATIONAL',
    });
    this.fail(error);
    controller.abort(error);
  }

  private complete(): void {
    if (this.settled || this.status === undefined) return;
    this.settled = true;
    const { status, headers, latency } = this;
    this.settle({ status, headers, excerpt: this.excerpt, latency });
  }

  private fail(error: Error): void {
    if (this.settled) return;
    this.settled = true;
    const unanswered = this.status === undefined && this.informational === 0;
    const stale = this.reused && unanswered && !(error instanceof DeadlineError);
    const { status, latency } = this;
    this.settle(new ExchangeError(error, stale, { status, latency, excerpt: this.excerpt }));
  }

  private get latency(): Latency {
    const { dnsMs, connectMs, tlsMs } = this.connectLatency;
    return { dnsMs, connectMs, tlsMs, firstByteMs: this.firstByteMs };
  }

  private get excerpt(): string {
    return this.chunks.length === 0 ? '' : Buffer.concat(this.chunks).toString('utf8');
  }
}
