/** What a `traceparent` says of a span. */
interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Bit 0: the trace is sampled. */
  readonly traceFlags: number;
}

/** Later versions may append to it (https://www.w3.org/TR/trace-context/#versioning-of-traceparent). */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Reads a W3C `traceparent`; undefined when it is none, which starts a trace anew. */
export function parseTraceparent(text: string): TraceContext | undefined {
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || traceId === NO_TRACE || spanId === NO_SPAN)
    return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** The other way round. */
export function formatTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
