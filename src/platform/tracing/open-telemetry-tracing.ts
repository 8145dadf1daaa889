import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  diag,
  DiagLogLevel,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ThrottledWarning } from '../logging/throttled-warning';
import { formatTraceparent, parseTraceparent } from './traceparent';
import { type SpanEnd, type SpanStart, type TracedSpan, Tracing } from './tracing';

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win over it. */
const SERVICE_NAME = 'cdp-service';
/** A collector that does not answer must not hold up the end of the process. */
const CLOSE_TIMEOUT_MS = 3_000;

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/**
 * Spans by the official SDK, sent over OTLP/HTTP in batches. The SDK itself reads the variables `OTEL_EXPORTER_OTLP_…`,
 * `OTEL_TRACES_SAMPLER…`, `OTEL_BSP_…` and `OTEL_SPAN_…`. Its queue is bounded: spans that the collector does not take
 * are dropped.
 */
export class OpenTelemetryTracing extends Tracing {
  readonly enabled = true;
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  constructor() {
    super();
    const warning = new ThrottledWarning(new Logger('Tracing'));
    const warn = (message: string): void => warning.warn(message);
    diag.setLogger(
      { error: warn, warn, info: warn, debug: warn, verbose: warn },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    this.provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer(SERVICE_NAME);
  }

  start({ name, kind, parent, links = [], attributes }: SpanStart): TracedSpan {
    const parentContext = parent === undefined ? undefined : parseTraceparent(parent);
    const context =
      parentContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext);
    const options = { kind: KINDS[kind], attributes, links: links.flatMap(linkTo) };
    return new OpenTelemetrySpan(this.tracer.startSpan(name, options, context));
  }

  async close(): Promise<void> {
    const ended = this.provider.shutdown().catch(() => undefined); // The collector is away: reported already.
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

class OpenTelemetrySpan implements TracedSpan {
  readonly traceparent: string | undefined;

  constructor(private readonly span: Span) {
    const context = span.spanContext();
    const sampled = (context.traceFlags & TraceFlags.SAMPLED) !== 0;
    this.traceparent = sampled ? formatTraceparent(context) : undefined;
  }

  end({ attributes, error }: SpanEnd = {}): void {
    if (attributes !== undefined) this.span.setAttributes(attributes);
    if (error !== undefined) {
      this.span.setAttribute('error.type', error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

function linkTo(traceparent: string): Link[] {
  const context = parseTraceparent(traceparent);
  return context === undefined ? [] : [{ context }];
}
