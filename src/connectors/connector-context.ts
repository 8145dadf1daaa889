import type { Socket } from 'node:net';
import type { JsonObject, JsonValue } from '../events/customer-event';

/** For receivers whose certificate is not one that everybody knows, or who want to see one. All of it is PEM. */
export interface TlsMaterial {
  /** Who may have signed the certificate of the receiver; then nobody else may. */
  readonly ca?: string;
  /** What the receiver is shown, the own one first, and its key. */
  readonly cert?: string;
  readonly key?: string;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly tls?: TlsMaterial | undefined;
  /**
   * How long its answer may take at most, of a try that makes several requests: what hangs ends before the try does.
   */
  readonly timeoutMs?: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the answer, at most 256 KiB; the rest is dropped. */
  readonly body: Buffer;
}

/**
 * HTTP for connectors: reaches only addresses that deliveries may reach, follows no redirects and ends when the
 * try ends. An answer of any status resolves.
 *
 * @throws RetryableDeliveryError when there is no answer.
 * @throws PermanentDeliveryError when the address is one that must not be reached.
 */
export interface OutboundHttp {
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

/** Where a connector wants a TCP connection to. */
export interface SocketTarget {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
}

/** Values a connector keeps for a destination between tries, e.g. a token or a position. */
export interface ConnectorCursor {
  get(key: string): Promise<JsonValue | undefined>;
  /** Takes effect at once, whether the try succeeds or not. At most 64 KiB of JSON; null removes it. */
  set(key: string, value: JsonValue): Promise<void>;
}

/** Sentences with fields. Never log secrets or events. */
export interface ConnectorLogger {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

/** All that a connector gets of the service. */
export interface ConnectorContext {
  readonly destinationId: string;
  /** When the try must have ended, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
  /**
   * After rotations: the secrets before, the newest first, each for as long as receivers may still check against it.
   */
  readonly previousSecrets?: readonly JsonObject[];
  /** Of the span of this try, when it is traced: send it along as header `traceparent`. `http` does so. */
  readonly traceparent?: string;
  readonly http: OutboundHttp;
  /**
   * A TCP connection under the same egress rules, for what is not HTTP. It may be kept open for later tries; its owner
   * closes it, at the latest in `close()`.
   *
   * @throws RetryableDeliveryError when there is none before the try ends, or the address must not be reached.
   */
  connect(target: SocketTarget): Promise<Socket>;
  readonly logger: ConnectorLogger;
  readonly cursor: ConnectorCursor;
}
