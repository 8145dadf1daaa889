import { InvalidRequestError } from '../problems/problem';

/** As many as a megabyte of JSON has at most, and so any body but one of a route that takes longer ones. */
const MAX_VALUES = 512 * 1024;

/**
 * Refuses a parsed body that has too many values, itself and what stands in others included: each is looked at, and
 * copied, several times. It stands before everything that does so, and minds no depth.
 * @throws InvalidRequestError
 */
export function demandFewValues(body: unknown): void {
  const waiting = [body];
  for (let counted = 1; waiting.length > 0; counted += 1) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) waiting.push(member);
    if (counted + waiting.length <= MAX_VALUES) continue;
    const message = `the body must have at most ${MAX_VALUES} values`;
    throw new InvalidRequestError([{ path: '', code: 'too_many_values', message }]);
  }
}
