import { rowsNamingPeople } from '../../events/unstored/rows-naming-people';

/** One has up to half a megabyte, or more where operators say so. */
const EXPORTED_AT_ONCE = 10;

/** Requests whose events name a person and could not be taken. */
export const hookRequestsOfPeople = rowsNamingPeople(
  'hook_request',
  `json_build_object('id', id, 'problems', problems, 'request', request)`,
  EXPORTED_AT_ONCE,
);
