import { Problem } from '../problems/problem';

/** The path is there, but not for this method. */
export class MethodNotAllowedError extends Problem {
  readonly status = 405;
  readonly code = 'method_not_allowed';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not possible here, only ${allowed.join(', ')}.`);
    this.headers = { allow: allowed.join(', ') };
  }
}

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
}

/** Knows which methods a path takes; the router itself only knows whether it takes one. */
export class AllowedMethods {
  private readonly routes: Route[] = [];

  /** @param url the pattern of a route, such as `/sources/:id`. Patterns with wildcards take everything: left out. */
  add(methods: string | readonly string[], url: string): void {
    if (url.includes('*')) return;
    for (const method of [methods].flat()) this.routes.push({ method, segments: url.split('/') });
  }

  /** @param path without its query */
  of(path: string): string[] {
    const segments = path.split('/');
    const matching = this.routes.filter((route) => matches(route.segments, segments));
    return [...new Set(matching.map(({ method }) => method))].toSorted();
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) =>
      segment.startsWith(':') ? path[index] !== '' : segment === path[index],
    )
  );
}
