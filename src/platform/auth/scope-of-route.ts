import type { FastifyRequest } from 'fastify';
import type { Scope } from './principal';

/** What Fastify knows of a route, and so every hook that runs before the body is read. */
export interface ScopedRoute {
  readonly scope?: Scope;
}

/** The scope that a token needs for the route of a request: what `@Scopes` says, or what the method does. */
export function scopeOfRoute({ method, routeOptions }: FastifyRequest): Scope {
  const declared = (routeOptions.config as ScopedRoute).scope;
  return declared ?? (method === 'GET' || method === 'HEAD' ? 'cdp:read' : 'cdp:write');
}
