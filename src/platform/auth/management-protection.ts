import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { Config } from '../config/config';
import { type Area, areaOf } from '../http/areas';
import { openRedisClient, type RedisClient } from '../queues/redis-clients';
import { demandShallow } from '../http/demand-shallow';
import { addressCaller, credentialCaller, RequestLimits } from './request-limits';
import { RequestTokens } from './request-tokens';

/** Returns the credential of a request once it is verified, and undefined when there is none or it is not valid. */
export type CredentialCheck = (request: FastifyRequest) => Promise<string | undefined>;

/**
 * Protects the Management API, Swagger UI and the queue board: security headers, limits of requests per minute, the check of
 * the token and its scope, and a limit to the depth of a body. All but the last come before the body, so that a body that
 * may not be sent is not even parsed. A caller with verified credentials is counted alone, other callers by their address.
 * So invented tokens lock out other strangers only.
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
      if (area.needsToken && !request.is404) await this.tokens.permittedPrincipalOf(request);
    });
    fastify.addHook('preValidation', async (request: FastifyRequest) => {
      if (areaOfRoute(request).limited) demandShallow(request.body);
    });
  }

  /** A credential other than a token that identifies a caller. */
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
      // The header has many spellings, the token has one.
      () => authorization.trim().split(/\s+/).at(-1),
      // May stop here: without a valid token the request counts for its address, and is refused afterwards.
      () => undefined,
    );
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
    return new RequestLimits(requestsPerMinute, this.redis);
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
