/** Few and bounded; never anything of a customer. Names as in OpenTelemetry's semantic conventions, else `cdp.…`. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** `server` answers a request, `consumer` works on what a queue brought, `client` makes a request. */
  readonly kind: 'server' | 'consumer' | 'client';
  /** The W3C `traceparent` of the span that caused this one; without it a trace begins here. */
  readonly parent?: string;
  /** The `traceparent` of others that caused it too. */
  readonly links?: readonly string[];
  readonly attributes?: SpanAttributes;
}

/** How a span ended. `error` is a class of errors, not a message. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  readonly error?: string;
}

/** Work that is under way. */
export interface TracedSpan {
  /** What to hand on to the work that this work causes. Undefined when the trace is not sampled. */
  readonly traceparent: string | undefined;
  end(end?: SpanEnd): void;
}

/**
 * Traces of requests over the queues to their deliveries. A span is handed on as its W3C `traceparent`, and only when
 * it is sampled: what is not traced costs no row and no job anything.
 */
export abstract class Tracing {
  /** False: nothing is ever started, so that callers can leave out what leads up to it. */
  abstract readonly enabled: boolean;

  /** Begins a span; undefined when tracing is off. */
  abstract start(span: SpanStart): TracedSpan | undefined;

  /** Sends what has not been sent yet, within bounds. */
  abstract close(): Promise<void>;
}

/** Tracing when it is not configured. */
export class NoTracing extends Tracing {
  readonly enabled = false;

  start(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    // Nothing was opened.
  }
}
