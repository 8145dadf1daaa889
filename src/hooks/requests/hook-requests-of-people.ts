import { rowsNamingPeople } from '../../events/unstored/rows-naming-people';

/** Requests whose events name a person and could not be taken. */
export const hookRequestsOfPeople = rowsNamingPeople(
  'hook_request',
  `json_build_object('id', id, 'problems', problems, 'request', request)`,
);
