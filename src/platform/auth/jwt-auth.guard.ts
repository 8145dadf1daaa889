import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config';
import { MissingScopeError } from './auth-problems';
import { JwtStrategy } from './jwt.strategy';
import { mayUse, type Principal, type Scope } from './principal';
import { IS_PUBLIC } from './public.decorator';
import { REQUIRED_SCOPE } from './scopes.decorator';

export type AuthenticatedRequest = FastifyRequest & { user: Principal };

/** Everything needs a valid token with the right scope, unless it is marked `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    @Inject(Config) private readonly config: Config,
    strategy: JwtStrategy,
  ) {
    // The strategy itself, not its name: names are global to the process, and tests run several services in one.
    // A copy for each request: passport puts the callbacks of the request into the strategy, as it does by name.
    super({
      get defaultStrategy() {
        return Object.create(strategy) as string;
      },
    });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets)) return true;
    await super.canActivate(context);
    if (this.config.tokens.anyIsEnough) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const declared = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, targets);
    const scope = declared ?? defaultScope(request.method);
    if (!mayUse(request.user, scope)) throw new MissingScopeError(scope);
    return true;
  }
}

function defaultScope(method: string): Scope {
  return method === 'GET' || method === 'HEAD' ? 'cdp:read' : 'cdp:write';
}
