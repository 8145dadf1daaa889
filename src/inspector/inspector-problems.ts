import { Problem } from '../platform/http/problem';

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
