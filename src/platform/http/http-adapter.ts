import type { IncomingHttpHeaders } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AllowedMethods, MethodNotAllowedError } from './allowed-methods';
import { answerClientError } from './client-error';
import { refuseOtherMediaTypes } from './media-type';
import { problemOf } from './problem-details';
import { requestIdOf } from './request-id';
import { sendProblem } from './send-problem';
import { refusedByRouter } from './refused-by-router';

/** Largest body outside of ingestion, which sets its own limit. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Longest part of a path that stands for an id: 512 characters of up to 3 bytes in UTF-8, percent-encoded.
 * Fastify's default is 100.
 */
const MAX_PARAM_LENGTH = 512 * 3 * '%XX'.length;

/** A client that sends slower than this holds a connection for nothing. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Longest time between two looks for those that are too slow. */
const MAX_CHECKING_INTERVAL_MS = 5_000;

export interface HttpOptions {
  /** For a request to arrive as a whole; then it is answered with 408 and its connection closed. */
  readonly requestTimeoutMs: number;
  /** Adds what an answer needs whose request no route and no hook has seen. */
  readonly prepareRefusal: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** The HTTP server of the service: bounded bodies, a request id on every answer, problems from the router too. */
export function createHttpAdapter({ requestTimeoutMs, prepareRefusal }: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    http: { connectionsCheckingInterval: Math.min(requestTimeoutMs / 4, MAX_CHECKING_INTERVAL_MS) },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      prepareRefusal(request, reply);
      sendProblem(request, reply, problemOf(refusedByRouter(error)));
    },
    // A request on a connection kept open may come while we close: it is answered like those before it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: (request: { headers: Parameters<typeof requestIdOf>[0] }) => requestIdOf(request.headers),
  });
  adapter.getInstance().server.headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs);
  refuseOtherMethods(adapter.getInstance());
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    // Many clients label every request as JSON, also one without a body.
    if (hasNoBody(request.headers)) delete request.headers['content-type'];
    done();
  });
  refuseOtherMediaTypes(adapter.getInstance());
  return adapter;
}

/** 405 where the router only knows 404. The queue board tells strangers nothing, not even that. */
function refuseOtherMethods(fastify: FastifyInstance): void {
  const allowed = new AllowedMethods();
  fastify.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/queues')) allowed.add(method, url);
  });
  // After the hooks that set headers, and before Fastify asks whether the body of a QUERY has a type.
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const methods = request.is404 ? allowed.of(request.url.split('?', 1)[0] ?? '') : [];
    done(methods.length > 0 ? new MethodNotAllowedError(request.method, methods) : null, payload);
  });
}

function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
