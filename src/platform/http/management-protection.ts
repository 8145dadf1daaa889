import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../config/config';
import { demandShallow } from './json-depth';
import { Problem } from './problem';

/** The Events API has protections of its own; orchestrators and monitoring are never turned away. */
const UNPROTECTED = /^\/(?:v1|beacon|health|metrics)(?:\/|$)/;

const WINDOW_SECONDS = 60;

/** Somebody asks for too much in a minute. */
export class TooManyRequestsError extends Problem {
  readonly status = 429;
  readonly code = 'too_many_requests';
  override readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super('Too many requests. Wait before the next one.');
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/**
 * What stands before the Management API, Swagger UI and the queue board: security headers, and a limit of requests
 * per minute for each token, or for each address without one; and a limit to how deep a body may be. Counted in Redis where there is one, for all processes
 * together, else in this process. While Redis is away, each process counts by itself.
 */
@Injectable()
export class ManagementProtection implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ManagementProtection.name);
  private redis: Redis | undefined;

  constructor(
    @Inject(Config) private readonly config: Config,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    const setHeaders = securityHeaders();
    const limiter = this.createLimiter();
    fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      if (UNPROTECTED.test(request.routeOptions.url ?? '')) return;
      setHeaders(request.raw, reply.raw, () => undefined);
      if (limiter !== undefined) await consume(limiter, request);
    });
    fastify.addHook('preValidation', async (request: FastifyRequest) => {
      if (!UNPROTECTED.test(request.routeOptions.url ?? '')) demandShallow(request.body);
    });
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  private createLimiter(): RateLimiterMemory | RateLimiterRedis | undefined {
    const points = this.config.env.CDP_MANAGEMENT_REQUESTS_PER_MINUTE;
    if (points === 0) return undefined;
    const memory = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
    const redisUrl = this.config.env.CDP_REDIS_URL;
    if (redisUrl === undefined || !/^rediss?:/.test(redisUrl)) return memory;
    this.redis = new Redis(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: 500,
    });
    this.redis.on('error', (error: Error) =>
      this.logger.debug(`Rate limits are counted here: ${error.message}`),
    );
    return new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'cdp-rate',
      points,
      duration: WINDOW_SECONDS,
      insuranceLimiter: memory,
    });
  }
}

async function consume(
  limiter: RateLimiterMemory | RateLimiterRedis,
  request: FastifyRequest,
): Promise<void> {
  const { authorization } = request.headers;
  const key =
    authorization === undefined
      ? `address-${request.ip}`
      : `token-${createHash('sha256').update(authorization).digest('base64url')}`;
  try {
    await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) throw new TooManyRequestsError(rejection.msBeforeNext);
    throw rejection;
  }
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
