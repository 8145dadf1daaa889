import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { JwtStrategy } from './jwt.strategy';
import type { Principal } from './principal';
import { IS_PUBLIC } from './public.decorator';

export type AuthenticatedRequest = FastifyRequest & { user: Principal };

/** Everything needs a valid token with the right scope, unless it is marked `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
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
    return (await super.canActivate(context)) as boolean;
  }
}
