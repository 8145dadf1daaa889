import { notFound, problem } from '../platform/http/problems/problem';

export class EventNotFoundError extends notFound(
  'event',
  'No event with this id is stored, or not any more.',
) {}

export class TooManyListenersError extends problem(
  503,
  'too_many_listeners',
  'As many watch the live tail of this process as can, or it is stopping; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('This process has no room for another listener. Try again in a few seconds.');
  }
}
