import { RouteConfig } from '@nestjs/platform-fastify';
import type { NeededScope, ScopedRoute } from './scope-of-route';

const ROUTE_CONFIG = RouteConfig({}).KEY;

/**
 * The scope a token needs, for a method or all methods of a controller that have none of their own. Without it:
 * `cdp:read` to read (GET, HEAD), `cdp:write` for everything else.
 */
export function Scopes(scope: NeededScope): MethodDecorator & ClassDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (descriptor !== undefined) return setScope(descriptor.value as object, scope);
    // Decorators of methods run before that of their class.
    for (const method of methodsOf(target as NewableFunction))
      if (routeOf(method).scope === undefined) setScope(method, scope);
  };
}

function methodsOf({ prototype }: NewableFunction): object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype as object)).flatMap(({ value }) =>
    typeof value === 'function' ? [value as object] : [],
  );
}

function routeOf(method: object): ScopedRoute {
  return (Reflect.getMetadata(ROUTE_CONFIG, method) as ScopedRoute | undefined) ?? {};
}

/** Beside whatever else is said of the route. */
function setScope(method: object, scope: NeededScope): void {
  Reflect.defineMetadata(ROUTE_CONFIG, { ...routeOf(method), scope }, method);
}
