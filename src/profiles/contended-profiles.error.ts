import { LostRaceError } from '../platform/database/failure';

/** Other transactions got in the way of a batch. Nothing is wrong with it: try again. */
export class ContendedProfilesError extends LostRaceError {
  constructor(how: string) {
    super(`${how}; the batch is tried again.`);
  }
}
