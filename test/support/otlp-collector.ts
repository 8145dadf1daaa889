import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A span as OTLP/HTTP carries it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
  /** Of the resource. */
  readonly serviceName: string | number | undefined;
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'links'> & {
        readonly attributes?: readonly OtlpAttribute[];
        readonly links?: CollectedSpan['links'];
      })[];
    }[];
  }[];
}

/** A collector of OpenTelemetry that takes traces over HTTP with JSON. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url !== '/v1/traces') return response.writeHead(404).end();
        collector.spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString('utf8')) as OtlpRequest));
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const collector = new OtlpCollector(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    );
    return collector;
  }
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const serviceName = asRecord(resource.attributes)['service.name'];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: asRecord(span.attributes ?? []),
        links: span.links ?? [],
        serviceName,
      })),
    );
  });
}

function asRecord(attributes: readonly OtlpAttribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  );
}
