import type { JsonObject, Subject } from '../events/customer-event';

/**
 * Tells what computed traits a profile has. They are made like segments, which implement this, see `ProfilesApiModule`.
 */
export abstract class ProfileComputedTraits {
  /** By name; those that have no value are left out. The subject is the profile's own. */
  abstract of(subject: Subject): Promise<JsonObject>;
}
