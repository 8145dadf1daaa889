import { InvalidRequestError } from './problem';

/** This is far deeper than any rule, filter or config, and far below what recursion over a body can stand. */
const MAX_DEPTH = 64;

/**
 * Refuses a parsed body in which objects and arrays stand in each other more than 64 deep, naming the member of the
 * body it is in. Without recursion, since it stands before everything that recurs.
 * @throws InvalidRequestError
 */
export function demandShallow(body: unknown): void {
  if (!isContainer(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (!isShallow(value)) throw tooDeep(Array.isArray(body) ? `[${name}]` : name);
  }
}

function isShallow(start: unknown): boolean {
  let level = [start].filter(isContainer);
  for (let depth = 2; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return true;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function tooDeep(path: string): InvalidRequestError {
  return new InvalidRequestError([
    { path, code: 'too_deep', message: `must not be nested deeper than ${MAX_DEPTH} levels` },
  ]);
}
