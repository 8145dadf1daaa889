import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What SDKs for browsers and mobiles load before they send anything. With a 404 they stop; without an integration
 * called `Segment.io` they send nothing and say nothing. The same for every key, so it tells nobody which keys exist.
 */
export function sdkSettings(request: FastifyRequest, reply: FastifyReply): void {
  const { writeKey } = request.params as { writeKey: string };
  void reply.send({
    integrations: { 'Segment.io': { apiKey: writeKey, apiHost: `${request.host}/v1` } },
    plan: {},
    edgeFunction: {},
  });
}
