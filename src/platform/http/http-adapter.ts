import { FastifyAdapter } from '@nestjs/platform-fastify';
import { requestIdOf } from './request-id';

/** Largest body outside of ingestion, which sets its own limit. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The HTTP server of the service: bounded bodies, and a request id on every answer. */
export function createHttpAdapter(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request: { headers: Parameters<typeof requestIdOf>[0] }) => requestIdOf(request.headers),
  });
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  return adapter;
}
