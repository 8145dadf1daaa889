/** What destinations that ask for it are told of people, beside their events. */
const PERSON_NOTICES = ['segment_entered', 'segment_exited', 'trait_changed', 'delete'] as const;
/** What they are told of the service itself. */
export const SERVICE_NOTICES = [
  'destination_degraded',
  'destination_disabled',
  'destination_recovered',
  'dead_letters',
  'segment_failed',
  'source_silent',
  'plan_violations',
  'configuration_changed',
] as const;

export const NOTICES = [...PERSON_NOTICES, ...SERVICE_NOTICES] as const;
export type Notice = (typeof NOTICES)[number];
export type ServiceNotice = (typeof SERVICE_NOTICES)[number];
