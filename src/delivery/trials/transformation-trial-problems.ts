import { problem } from '../../platform/http/problems/problem';

export class TrialsBusyError extends problem(
  503,
  'trials_busy',
  'As many transformations are tried out in this process as can be; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds = 5;
}
