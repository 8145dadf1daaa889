import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config';

/**
 * Logs every answer with the id of its request, on the level `debug`. It logs the route, since a path may name a
 * person.
 */
export function logRequests(fastify: FastifyInstance, config: Config): void {
  if (!config.logsEverything) return;
  const logger = new Logger('Request');
  fastify.addHook('onResponse', (request, reply, done) => {
    logger.debug('Answered', {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}
