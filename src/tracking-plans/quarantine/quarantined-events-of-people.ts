import { rowsNamingPeople } from '../../events/unstored/rows-naming-people';

/** Events that name a person and are kept apart. */
export const quarantinedEventsOfPeople = rowsNamingPeople(
  'quarantined_event',
  `json_build_object('id', id, 'codes', codes, 'event', payload)`,
);
