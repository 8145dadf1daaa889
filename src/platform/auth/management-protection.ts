import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { Config } from '../config/config';
import { type Area, areaOf } from '../http/areas';
import { openRedisClient, type RedisClient } from '../queues/redis-clients';
import { demandShallow } from '../http/json-depth';
import { addressCaller, credentialCaller, RequestLimits } from './request-limits';
import { RequestTokens } from './request-tokens';

/** Answers the credential of a request, once it is verified; undefined when there is none or it is not valid. */
export type CredentialCheck = (request: FastifyRequest) => Promise<string | undefined>;

/**
 * What stands before the Management API, Swagger UI and the queue board: security headers, limits of requests per
 * minute, the check of the token, and a limit to how deep a body may be. All but the last come before the body, so
 * that a stranger's is not even parsed. Who has verified credentials is counted alone, everybody else with their
 * address: so invented tokens lock nobody out but other strangers.
 */
@Injectable()
export class ManagementProtection implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ManagementProtection.name);
  private readonly credentialChecks: CredentialCheck[] = [(request) => this.verifiedToken(request)];
  private redis: RedisClient | undefined;

  constructor(
    @Inject(Config) private readonly config: Config,
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
      if (area.needsToken && !request.is404) await this.tokens.principalOf(request);
    });
    fastify.addHook('preValidation', async (request: FastifyRequest) => {
      if (areaOfRoute(request).limited) demandShallow(request.body);
    });
  }

  /** Another credential than a token by which callers are told apart. */
  recogniseBy(check: CredentialCheck): void {
    this.credentialChecks.push(check);
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  private async callerOf(request: FastifyRequest): Promise<string> {
    for (const check of this.credentialChecks) {
      const credential = await check(request);
      if (credential !== undefined) return credentialCaller(credential);
    }
    return addressCaller(request.ip);
  }

  private async verifiedToken(request: FastifyRequest): Promise<string | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return undefined;
    return this.tokens.principalOf(request).then(
      () => authorization,
      // May stop here: without a valid token the request counts for its address, and is refused afterwards.
      () => undefined,
    );
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

function areaOfRoute(request: FastifyRequest): Area {
  return areaOf(request.routeOptions.url ?? '');
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
