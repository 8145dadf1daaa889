import type { ProblemDetail } from '../platform/http/problems/problem';
import type { SandboxFailure } from './sandbox/sandbox-result';
import { failureText } from './transform-event';

/** What is wrong with a code that cannot be loaded, for whoever sent it as `code`. */
export function codeProblem(failure: SandboxFailure): ProblemDetail {
  return { path: 'code', code: 'invalid_code', message: `code: ${failureText(failure)}` };
}
