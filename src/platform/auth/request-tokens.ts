import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config';
import { MissingScopeError, UnauthorizedError } from './auth-problems';
import { mayUse, type Principal } from './principal';
import { InvalidTokenError } from './refused-token';
import { Sessions } from '../login/sessions';
import { scopeOfRoute } from './scope-of-route';
import { TokenVerifier } from './token-verifier';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Says who makes a request, by its bearer token or its session. A token is verified once, however often it is called.
 */
@Injectable()
export class RequestTokens {
  private readonly principals = new WeakMap<FastifyRequest, Promise<Principal>>();

  constructor(
    private readonly verifier: TokenVerifier,
    private readonly sessions: Sessions,
    private readonly config: Config,
  ) {}

  /** The caller, who may use the route. @throws UnauthorizedError, MissingScopeError, DependencyDownError */
  async permittedPrincipalOf(request: FastifyRequest): Promise<Principal> {
    const principal = await this.principalOf(request);
    const scope = scopeOfRoute(request);
    if (scope === 'any' || this.config.tokens.anyIsEnough || mayUse(principal, scope)) return principal;
    throw new MissingScopeError(scope);
  }

  /** @throws UnauthorizedError; DependencyDownError when the keys of the provider were never loaded. */
  principalOf(request: FastifyRequest): Promise<Principal> {
    let principal = this.principals.get(request);
    if (principal === undefined) {
      principal = this.identify(request);
      this.principals.set(request, principal);
    }
    return principal;
  }

  private async identify(request: FastifyRequest): Promise<Principal> {
    const { authorization } = request.headers;
    const session = authorization === undefined ? this.sessions.principalOf(request) : undefined;
    if (session !== undefined) return session;
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new UnauthorizedError(authorization !== undefined);
    try {
      return await this.verifier.verify(token);
    } catch (error) {
      throw error instanceof InvalidTokenError ? new UnauthorizedError(true) : error;
    }
  }
}
