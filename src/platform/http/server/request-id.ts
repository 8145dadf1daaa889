import type { IncomingHttpHeaders } from 'node:http';
import { uuidv7 } from 'uuidv7';

/** What a request id from outside may look like: safe in logs and headers, of bounded length. */
const SANE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The id of a request in its answer, its error body and the logs: the caller's `X-Request-Id` when sane, else new. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : uuidv7();
}
