import { Problem, problem } from '../platform/http/problem';

export class EventNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'event_not_found';
  static readonly when = 'No event with this id is stored, or not any more.';
  readonly status = EventNotFoundError.status;
  readonly code = EventNotFoundError.code;

  constructor(eventId: string) {
    super(`There is no event ${eventId}.`);
  }
}

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
