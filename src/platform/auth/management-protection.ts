import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { Config } from '../config/config';
import { type Area, areaOf } from '../http/server/areas';
import { DEFAULT_SCHEMA } from '../database/connections/schema';
import { openRedisClient, type RedisClient } from '../queues/redis-clients';
import { demandFewValues } from '../http/input/demand-few-values';
import { demandNarrow } from '../http/input/demand-narrow';
import { demandShallow } from '../http/input/demand-shallow';
import { addressCaller, credentialCaller, RequestLimits } from './request-limits';
import { identityKey } from './principal';
import { RequestTokens } from './request-tokens';

/**
 * Protects the Management API, Swagger UI and the queue board: security headers, limits of requests per minute, the
 * check of the token and its scope, and a limit to how many values a body has and how deep. All but the last come
 * before the body, so that a body that may not be sent is not even parsed. A caller with verified credentials is
 * counted alone, other callers by their address. So invented tokens lock out other strangers only.
 */
@Injectable()
export class ManagementProtection implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ManagementProtection.name);
  private redis: RedisClient | undefined;

  constructor(
    private readonly config: Config,
    private readonly adapterHost: HttpAdapterHost,
    private readonly tokens: RequestTokens,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    const setHeaders = securityHeaders();
    const limits = this.openLimits();
    fastify.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const area = areaOfRoute(request);
      if (!area.limited) return;
      setHeaders(request.raw, reply.raw, () => undefined);
      await limits?.demand(await this.callerOf(request));
      if (area.needsToken && !request.is404) await this.tokens.permittedPrincipalOf(request);
    });
    fastify.addHook('preValidation', async (request: FastifyRequest) => {
      if (!areaOfRoute(request).limited) return;
      demandFewValues(request.body);
      demandShallow(request.body);
      demandNarrow(request.body);
    });
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  private async callerOf(request: FastifyRequest): Promise<string> {
    const { authorization } = request.headers;
    // May stop here: without a valid credential the request counts for its address, and is refused afterwards.
    const principal = await this.tokens.principalOf(request).catch(() => undefined);
    if (principal === undefined) return addressCaller(request.ip);
    // The header has many spellings, the token has one.
    const token = authorization?.trim().split(/\s+/).at(-1);
    return credentialCaller(token ?? `session ${identityKey(principal)}`);
  }

  private openLimits(): RequestLimits | undefined {
    const { requestsPerMinute } = this.config.management;
    const { redisUrl } = this.config.queue;
    if (requestsPerMinute === 0) return undefined;
    if (redisUrl !== undefined) {
      this.redis = openRedisClient(redisUrl, 'at-once');
      this.redis.on('error', (error: Error) =>
        this.logger.debug(`Rate limits are counted here: ${error.message}`),
      );
    }
    const { schema } = this.config.database;
    const keyPrefix = schema === DEFAULT_SCHEMA ? 'cdp-rate' : `cdp-rate-${schema}`;
    return new RequestLimits(requestsPerMinute, this.redis, keyPrefix);
  }
}

function areaOfRoute(request: FastifyRequest): Area {
  return areaOf(request.routeOptions.url ?? '');
}

/** Swagger UI and Bull Board use inline styles. Neither needs a script that is not a file of the service. */
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
    // These pages make no requests to another origin, and over plain HTTP the browser ignores this header.
    crossOriginEmbedderPolicy: false,
  });
}
