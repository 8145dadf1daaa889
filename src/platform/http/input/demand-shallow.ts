import { InvalidRequestError } from '../problems/problem';
import { isDeeperThan } from './is-deeper-than';

/** This is far deeper than any rule, filter or config, and far below what recursion over a body can stand. */
const MAX_DEPTH = 64;

/**
 * Refuses a parsed body in which objects and arrays stand in each other more than 64 deep, naming the member of the
 * body it is in. It stands before everything that recurs without a limit.
 * @throws InvalidRequestError
 */
export function demandShallow(body: unknown): void {
  if (!isContainer(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (!isContainer(value) || !isDeeperThan(MAX_DEPTH - 1, value)) continue;
    const path = Array.isArray(body) ? `[${name}]` : name;
    const message = `must not be nested deeper than ${MAX_DEPTH} levels`;
    throw new InvalidRequestError([{ path, code: 'too_deep', message }]);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
