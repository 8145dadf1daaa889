import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * What SDKs for browsers and mobiles load before they send anything. With a 404 they stop; without an integration
 * called `Segment.io` they send nothing and say nothing. They send over https, unless the service is on their own
 * machine. The same for every key, so it tells nobody which keys exist.
 */
export function sdkSettings(request: FastifyRequest, reply: FastifyReply): void {
  const { writeKey } = request.params as { writeKey: string };
  void reply.send({
    integrations: {
      'Segment.io': {
        apiKey: writeKey,
        apiHost: `${request.host}/v1`,
        ...(LOOPBACK.test(request.host) ? { protocol: request.protocol } : {}),
      },
    },
    plan: {},
    edgeFunction: {},
  });
}
