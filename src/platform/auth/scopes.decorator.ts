import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Scope } from './principal';

/** What Fastify knows of a route, and so every hook that runs before the body is read. */
interface ScopedRoute {
  readonly scope?: Scope;
}

/**
 * The scope a token needs, for a method or all methods of a controller. Without it: `cdp:read` to read (GET, HEAD),
 * `cdp:write` for everything else.
 */
export function Scopes(scope: Scope): MethodDecorator & ClassDecorator {
  const config: ScopedRoute = { scope };
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (key !== undefined && descriptor !== undefined)
      return void RouteConfig(config)(target, key, descriptor);
    for (const method of Object.values(
      Object.getOwnPropertyDescriptors((target as { prototype: object }).prototype),
    )) {
      RouteConfig(config)(target, '', method);
    }
  };
}

/** The scope that a token needs for the route of the request. */
export function scopeOf({ method, routeOptions }: FastifyRequest): Scope {
  const declared = (routeOptions.config as ScopedRoute).scope;
  return declared ?? (method === 'GET' || method === 'HEAD' ? 'cdp:read' : 'cdp:write');
}
