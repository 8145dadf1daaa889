import type { IncomingHttpHeaders } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AllowedMethods, MethodNotAllowedError } from './allowed-methods';
import { LONG_STATEMENT_MS } from '../../database/database';
import { areaOf } from './areas';
import { answerClientError } from '../problems/client-error';
import { refuseOtherMediaTypes } from '../input/media-type';
import { parseJsonBody } from '../input/parse-json-body';
import { limitPipelining } from './pipelining';
import { problemOf } from '../problems/problem-details';
import { requestIdOf } from './request-id';
import { sendProblem } from '../problems/send-problem';
import { refusedByRouter } from '../problems/refused-by-router';

/** Largest body outside of ingestion, which sets its own limit, and of routes with `RouteConfig({ bodyLimit })`. */
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
/**
 * A client that reads nothing of its answer for so long is gone. Longer than any answer takes: {@link
 * LONG_STATEMENT_MS}.
 */
const SILENCE_MS = LONG_STATEMENT_MS + 60_000;

interface HttpOptions {
  /** For a request to arrive as a whole; then it is answered with 408 and its connection closed. */
  readonly requestTimeoutMs: number;
  /** Until a connection ends on which nothing moves, neither of a request nor of an answer. Default: eleven minutes. */
  readonly silenceMs?: number;
  /** Whose `X-Forwarded-…` headers count: the number of proxies in front, or their addresses. Default: none. */
  readonly trustProxy?: number | string[] | undefined;
  /** What the process does, where other processes have other routes: said of what no route takes. */
  readonly roles?: readonly string[] | undefined;
  /** Adds headers to every answer, also where there is no route. */
  readonly prepareAnswer: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Writes answers as JSON. */
  readonly stringify: (answer: object) => string;
}

/** The HTTP server of the service: bounded bodies, a request id on every answer, problems from the router too. */
export function createHttpAdapter({
  requestTimeoutMs,
  silenceMs = SILENCE_MS,
  trustProxy,
  roles,
  prepareAnswer,
  stringify,
}: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceMs,
    // Fastify takes no number. As with other servers a number means: trust the last n hops, whatever their address.
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : (trustProxy ?? false),
    http: { connectionsCheckingInterval: Math.min(requestTimeoutMs / 4, MAX_CHECKING_INTERVAL_MS) },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      prepareAnswer(request, reply);
      sendProblem(request, reply, problemOf(refusedByRouter(error)));
    },
    // A request on a connection kept open may come while we close: it is answered like those before it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: (request: { headers: Parameters<typeof requestIdOf>[0] }) => requestIdOf(request.headers),
  });
  adapter.getInstance().server.headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs);
  adapter.getInstance().setReplySerializer((answer) => stringify(answer as object));
  limitPipelining(adapter.getInstance().server);
  refuseUnrouted(adapter.getInstance(), roles);
  takeLargerBodies(adapter.getInstance());
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    prepareAnswer(request, reply);
    // Many clients label every request as JSON, also one without a body.
    if (hasNoBody(request.headers)) delete request.headers['content-type'];
    done();
  });
  adapter.getInstance().addHook('onSend', (request, reply, _payload, done) => {
    // Node would read on to an end that may never come.
    if (!request.raw.complete && request.headers['transfer-encoding'] !== undefined) {
      void reply.header('connection', 'close');
    }
    done();
  });
  refuseOtherMediaTypes(adapter.getInstance());
  // That of Fastify calls JSON broken that has a member `__proto__` anywhere.
  adapter.useBodyParser('application/json', false, {}, (_request, bytes, done) =>
    done(null, parseJsonBody(bytes)),
  );
  return adapter;
}

/** What no route takes: 405 where the router only knows 404. The queue board tells strangers nothing, not even that. */
function refuseUnrouted(fastify: FastifyInstance, roles: readonly string[] | undefined): void {
  const allowed = new AllowedMethods();
  const here = roles === undefined ? '' : `. Of CDP_ROLES this process has only: ${roles.join(', ')}`;
  fastify.addHook('onRoute', ({ method, url }) => {
    if (areaOf(url).namesMethods) allowed.add(method, url);
  });
  // This runs after the hooks that set headers, and before Fastify looks at a body without a use.
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.is404) return done(null, payload);
    const { method, url } = request;
    const methods = allowed.of(url.split('?', 1)[0] ?? '');
    done(
      methods.length > 0
        ? new MethodNotAllowedError(method, methods)
        : new NotFoundException(`Cannot ${method} ${url}${here}`),
    );
  });
}

/** Nest hands a route no options of Fastify but its `config`. */
function takeLargerBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bodyLimit } = (route.config ?? {}) as { readonly bodyLimit?: number };
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit;
  });
}

function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
