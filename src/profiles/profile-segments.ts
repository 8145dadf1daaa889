import type { Subject } from '../events/customer-event';
import type { ProfileSegmentDto } from './api/dto/profile.dto';

/**
 * Tells which segments a profile is in. Segments are built on profiles, so they implement this, see
 * `ProfilesApiModule`.
 */
export abstract class ProfileSegments {
  /** In the order of their names. The subject is the profile's own. */
  abstract of(subject: Subject): Promise<ProfileSegmentDto[]>;
}
