import type { IncomingHttpHeaders } from 'node:http';

/** Whatever proves who sends, by what such headers and parameters are called. */
const PROOFS =
  /auth|cookie|signature|secret|token|hmac|passw|api-?key|access-?key|write-?key|session|jwt|credential|^(?:x-)?(?:key|sig|code)$/i;
/** What only concerns the connection, and where a proxy says whence it came. */
const TRANSPORT =
  /^(?:connection|keep-alive|host|te|trailer|transfer-encoding|upgrade|expect|via|forwarded|x-real-ip|content-length|content-type|content-encoding|accept-encoding|traceparent|tracestate|baggage|x-request-id)$|^(?:x-forwarded|cf|proxy)-/i;

/**
 * The headers of a request that a transformation gets, by their names in lower case.
 * @param signedIn the header of the signature, whatever it is called
 */
export function keptHeaders(headers: IncomingHttpHeaders, signedIn?: string): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== signedIn && !PROOFS.test(name) && !TRANSPORT.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

/** The parameters of its address; one that is given twice is a list. */
export function keptQuery(query: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PROOFS.test(name)));
}
