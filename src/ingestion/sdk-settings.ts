import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * What SDKs for browsers and mobiles load before they send anything. With a 404 they stop; without an integration
 * called `Segment.io` they send nothing and say nothing. They send over https unless told otherwise.
 * @param publicUrl where the service is for others; without it, where the request says it is: that may be an invention,
 *   so no cache may give the answer to anybody else.
 */
export function sendSdkSettings(
  request: FastifyRequest,
  reply: FastifyReply,
  writeKey: string,
  publicUrl: string | undefined,
): void {
  if (publicUrl === undefined) void reply.header('cache-control', 'no-store');
  void reply.send({
    integrations: {
      'Segment.io': {
        apiKey: writeKey,
        ...(publicUrl === undefined ? placeOfRequest(request) : placeOf(new URL(publicUrl))),
      },
    },
    plan: {},
    edgeFunction: {},
  });
}

interface Place {
  /** Without a scheme. */
  readonly apiHost: string;
  readonly protocol?: string;
}

function placeOf({ host, pathname, protocol }: URL): Place {
  const apiHost = `${host}${pathname.replace(/\/$/, '')}/v1`;
  return protocol === 'https:' ? { apiHost } : { apiHost, protocol: 'http' };
}

function placeOfRequest({ host, protocol }: FastifyRequest): Place {
  const apiHost = `${host}/v1`;
  return LOOPBACK.test(host) ? { apiHost, protocol } : { apiHost };
}
