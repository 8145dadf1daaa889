import { rowsNamingPeople } from '../unstored/rows-naming-people';

/** Events that name a person and were not accepted. */
export const rejectedEventsOfPeople = rowsNamingPeople(
  'rejected_event',
  `jsonb_build_object('id', id, 'codes', codes, 'paths', paths, 'payload', payload)`,
);
