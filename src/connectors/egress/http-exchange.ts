import type { Dispatcher } from 'undici';
import type { Latency } from '../connector';
import type { TlsMaterial } from '../connector-context';
import type { GuardedConnection } from './guarded-connect';
import type { Target } from './parse-target';

/** A request to an address that was found acceptable. */
export interface HttpRequest {
  readonly destinationId: string;
  readonly target: Target;
  readonly method: Dispatcher.HttpMethod;
  /** Name, value, name, value; or by name. */
  readonly headers: string[] | Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
  readonly tls?: TlsMaterial | undefined;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Ends it before its deadline. */
  readonly cancel?: AbortSignal | undefined;
  /** How much of the answer is kept. */
  readonly maxKeptBytes: number;
  /** How much of it is read before the connection is dropped. */
  readonly maxReadBytes: number;
}

/** An answer as it came. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Its beginning. */
  readonly body: Buffer;
  readonly latency: Latency;
}

/** No whole answer came. `cause` says why, for the log; never shown to tenants. */
export class ExchangeError extends Error {
  constructor(
    override readonly cause: Error,
    /** The connection was kept open from an earlier request, and broke before a byte of an answer. */
    readonly staleConnection: boolean,
    readonly partial: { readonly status?: number; readonly body: Buffer; readonly latency: Latency },
  ) {
    super(cause.message);
  }
}

export class DeadlineError extends Error {}

/** Informational answers (1xx) that may come before the real one. Reading more would serve the sender alone. */
const MAX_INFORMATIONAL = 20;
const NO_BYTES = Buffer.alloc(0);

/** One request and its answer on a connection of undici, with its own clock and limits. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  /** In the list of those under way. */
  index = 0;
  /** Returns what the request is being written on at this moment. Set when a client has taken it. */
  connection: (() => GuardedConnection | undefined) | undefined;
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
    readonly request: HttpRequest,
    /** Called once. */
    private readonly settle: (result: HttpAnswer | ExchangeError) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) return controller.abort(new DeadlineError('too late'));
    this.sentAt = performance.now();
    const connection = this.connection?.();
    if (connection === undefined) return;
    this.reused = connection.requests++ > 0;
    if (!this.reused) this.connectLatency = connectLatencyOf(connection);
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
    const { maxKeptBytes, maxReadBytes } = this.request;
    if (this.bytes < maxKeptBytes) this.chunks.push(chunk.subarray(0, maxKeptBytes - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes <= maxReadBytes) return;
    this.complete();
    controller.abort(new Error('The answer is too long.'));
  }

  onResponseEnd(): void {
    this.complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(error);
  }

  /** The deadline has passed, or the answer is not wanted any more. */
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
    const { status, headers, body, latency } = this;
    this.settle({ status, headers, body, latency });
  }

  private fail(error: Error): void {
    if (this.settled) return;
    this.settled = true;
    const unanswered = this.status === undefined && this.informational === 0;
    const stale = this.reused && unanswered && !(error instanceof DeadlineError);
    const { status, body, latency } = this;
    this.settle(new ExchangeError(error, stale, { status, body, latency }));
  }

  private get latency(): Latency {
    const { dnsMs, connectMs, tlsMs } = this.connectLatency;
    return { dnsMs, connectMs, tlsMs, firstByteMs: this.firstByteMs };
  }

  private get body(): Buffer {
    return this.chunks.length === 0 ? NO_BYTES : Buffer.concat(this.chunks);
  }
}

function connectLatencyOf({
  startedAt,
  resolvedAt,
  connectedAt,
  securedAt,
  isTls,
}: GuardedConnection): Latency {
  const connectStart = resolvedAt ?? startedAt;
  return {
    dnsMs: resolvedAt === undefined ? undefined : resolvedAt - startedAt,
    connectMs: connectedAt === undefined ? undefined : connectedAt - connectStart,
    // On plain http the connection is ready as soon as it is made.
    tlsMs: isTls && connectedAt !== undefined ? (securedAt ?? 0) - connectedAt : undefined,
  };
}
