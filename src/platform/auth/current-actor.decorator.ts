import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from './jwt-auth.guard';
import { type Actor, actorOf } from './principal';

/** The {@link Actor} behind the request, as a parameter of a controller method. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return actorOf(request.user, request.id);
});
