import type { FastifyReply, FastifyRequest } from 'fastify';
import { areaOf } from '../../platform/http/server/areas';

/** What SDKs in browsers send beside what is always allowed. */
const ALLOWED_HEADERS =
  'authorization, content-type, content-encoding, anonymousid, sentat, x-retry-count, x-write-key, x-ip-policy';
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/** Lets pages of every site read the answer when the path is one of the Events API, be it a mistaken one. */
export function allowOriginOfEvents(request: FastifyRequest, reply: FastifyReply): void {
  if (areaOf(request.url).anyOrigin) allowAnyOrigin(request, reply);
}

/**
 * Lets pages of every site send events: the write key is public there, and no cookie means anything here. The origin is
 * named, not `*`, and credentials are allowed, because `navigator.sendBeacon` with a JSON body always sends them.
 */
function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin === undefined) {
    void reply.header('access-control-allow-origin', '*');
    return;
  }
  void reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', 'retry-after, x-request-id')
    .header('vary', 'Origin');
}

/** Answers a preflight. Requested headers are echoed: SDKs add their own (`rsa-…`). */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requested = request.headers['access-control-request-headers'];
  void reply
    .header('access-control-allow-methods', 'GET, POST, OPTIONS')
    .header('access-control-allow-headers', requested ?? ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
    .code(204)
    .send();
}
