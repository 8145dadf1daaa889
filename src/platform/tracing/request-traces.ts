import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { areaOf } from '../http/server/areas';
import { type TracedSpan, Tracing } from './tracing';

/** A span for every request, which goes on with the trace of the caller when there is one. */
@Injectable()
export class RequestTraces {
  private readonly spans = new WeakMap<FastifyRequest, TracedSpan>();

  constructor(private readonly tracing: Tracing) {}

  /** Adds the hooks; none when tracing is off. Call it before the server gets ready. */
  mount(fastify: FastifyInstance): void {
    if (!this.tracing.enabled) return;
    fastify.addHook('onRequest', (request, _reply, done) => {
      this.begin(request);
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.end(request, reply.statusCode);
      done();
    });
    fastify.addHook('onRequestAbort', (request, done) => {
      this.end(request, undefined);
      done();
    });
  }

  /** What the work for a request hands on; undefined when it is not traced. */
  traceparentOf(request: FastifyRequest): string | undefined {
    return this.tracing.enabled ? this.spans.get(request)?.traceparent : undefined;
  }

  private begin(request: FastifyRequest): void {
    const { url } = request.routeOptions;
    if (!areaOf(url ?? request.url).traced) return;
    const route = url ?? 'unknown';
    const { traceparent } = request.headers;
    const span = this.tracing.start({
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'cdp.request.id': request.id,
      },
    });
    if (span !== undefined) this.spans.set(request, span);
  }

  private end(request: FastifyRequest, status: number | undefined): void {
    const span = this.spans.get(request);
    if (span === undefined) return;
    this.spans.delete(request);
    if (status === undefined) return span.end({ error: 'aborted' });
    span.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 ? { error: String(status) } : {}),
    });
  }
}
