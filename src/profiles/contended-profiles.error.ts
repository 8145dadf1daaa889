import { LostRaceError } from '../platform/database/failure';

/** Other transactions got in the way of events. Nothing is wrong with the events: try again. */
export class ContendedProfilesError extends LostRaceError {
  constructor(how: string) {
    super(`${how}; the events are tried again.`);
  }
}
