import { Problem, type ProblemDetail } from '../platform/http/problems/problem';

/** What is wrong with a resource, of which the check says so by a refusal. @throws anything else */
export function problemsOf(thrown: unknown): ProblemDetail[] {
  if (!(thrown instanceof Problem) || thrown.status >= 500) throw thrown;
  if (thrown.errors.length > 0) return [...thrown.errors];
  // Such as a connector that is not installed.
  return [{ path: 'type', code: thrown.code, message: thrown.message }];
}
