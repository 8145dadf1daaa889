import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { Config } from '../config/config';
import { openRedisClient, type RedisClient } from '../queues/redis-clients';
import { demandShallow } from './json-depth';
import { RequestLimits } from './request-limits';

/** The Events API has protections of its own; orchestrators and monitoring are never turned away. */
const UNPROTECTED = /^\/(?:v1|beacon|health|metrics)(?:\/|$)/;

/**
 * What stands before the Management API, Swagger UI and the queue board: security headers, limits of requests per
 * minute, and a limit to how deep a body may be.
 */
@Injectable()
export class ManagementProtection implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ManagementProtection.name);
  private redis: RedisClient | undefined;

  constructor(
    @Inject(Config) private readonly config: Config,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    const setHeaders = securityHeaders();
    const limits = this.openLimits();
    fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      if (!isProtected(request)) return;
      setHeaders(request.raw, reply.raw, () => undefined);
      await limits?.demand(request);
    });
    fastify.addHook('preValidation', async (request: FastifyRequest) => {
      if (isProtected(request)) demandShallow(request.body);
    });
    fastify.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
      if (isProtected(request)) await limits?.note(request, reply.statusCode);
    });
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  private openLimits(): RequestLimits | undefined {
    const { CDP_MANAGEMENT_REQUESTS_PER_MINUTE: perMinute, CDP_REDIS_URL: redisUrl } = this.config.env;
    if (perMinute === 0) return undefined;
    if (redisUrl !== undefined) {
      this.redis = openRedisClient(redisUrl, 'at-once');
      this.redis.on('error', (error: Error) =>
        this.logger.debug(`Rate limits are counted here: ${error.message}`),
      );
    }
    return new RequestLimits(perMinute, this.redis);
  }
}

function isProtected(request: FastifyRequest): boolean {
  return !UNPROTECTED.test(request.routeOptions.url ?? '');
}

/** Swagger UI and Bull Board style with inline attributes; neither needs a script that is not a file of ours. */
function securityHeaders(): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Requests to another origin are nobody's business here, and over plain HTTP the browser ignores this header.
    crossOriginEmbedderPolicy: false,
  });
}
