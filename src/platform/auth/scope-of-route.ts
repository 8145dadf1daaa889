import type { FastifyRequest } from 'fastify';
import type { Scope } from './principal';

/** What a token has to have; `any` is open to whoever has a valid one, whatever that may do. */
export type NeededScope = Scope | 'any';

/** What Fastify knows of a route, and so every hook that runs before the body is read. */
export interface ScopedRoute {
  readonly scope?: NeededScope;
}

/** The scope that a token needs for the route of a request: what `@Scopes` says, or what the method does. */
export function scopeOfRoute({ method, routeOptions }: FastifyRequest): NeededScope {
  const declared = (routeOptions.config as ScopedRoute).scope;
  return declared ?? (method === 'GET' || method === 'HEAD' ? 'cdp:read' : 'cdp:write');
}
