import type { FastifyRequest } from 'fastify';
import { MissingScopeError } from '../auth/auth-problems';
import { type Identity, mayUse } from '../auth/principal';
import type { RequestTokens } from '../auth/request-tokens';

/** Decides who may see and touch the queues: tokens with `cdp:admin`, and people who logged in with one. */
export class BoardAccess {
  constructor(
    private readonly tokens: RequestTokens,
    private readonly anyTokenIsEnough: boolean,
  ) {}

  /** @returns who it is. @throws UnauthorizedError, MissingScopeError, DependencyDownError */
  async check(request: FastifyRequest): Promise<Identity> {
    const principal = await this.tokens.principalOf(request);
    if (!this.anyTokenIsEnough && !mayUse(principal, 'cdp:admin')) throw new MissingScopeError('cdp:admin');
    return principal;
  }
}
