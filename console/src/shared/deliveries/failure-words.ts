/** Of a destination; there is no more to know about them. */
const STATES: Readonly<Record<string, string>> = {
  by_operator: 'by an operator',
  connector_not_installed: 'its connector is not installed',
  secrets_not_readable: 'its secrets are not readable',
  many_failures: 'many of the latest tries failed',
};

/** Those of the service's own list. */
const FAILURES: Readonly<Record<string, string>> = {
  address_not_allowed: 'the service may not send to that address',
  batch_gone: 'the batch is there no more, as when its destination was deleted',
  client_certificate_refused: 'the receiver wants another certificate of the service',
  connect_failed: 'nobody listens there, or the network is in the way',
  connection: 'no connection could be made',
  connection_closed: 'the receiver closed the connection',
  connector_error: 'the connector broke',
  cursor_too_large: 'the connector wants to remember more than it may',
  dns_failed: 'the name of the receiver has no address',
  event_expired: 'the event is not stored any more',
  failed: 'it failed',
  expired: 'it grew too old before it could be tried',
  gone: 'the receiver says that it is gone for good (410)',
  http_3xx: 'the receiver answered with a redirect, which is not followed',
  http_4xx: 'the receiver refused it',
  http_5xx: 'the receiver failed',
  invalid_response: 'what the receiver answered is no HTTP',
  not_found: 'the receiver has nothing at this address (404, 405)',
  order_limit: 'later deliveries of the same person waited for it too long',
  path_value_missing: 'the event has no value for the path of the address',
  path_value_refused: 'what the event has for the path of the address can be no part of one',
  person_not_readable: 'what is known of the person could not be read',
  proxy_failed: 'the proxy made no connection to the receiver',
  rate_limited: 'the receiver wants fewer requests (429)',
  refused: 'the receiver will never take it',
  s3_error: 'the store of the bucket failed',
  s3_invalid_request: 'the store of the bucket will never take it',
  s3_access: 'the bucket may not be written to, or is not there',
  transformation_delayed: 'its transformation had to wait too long for its turn',
  transformation_failed: 'the transformation failed',
  transformed_to_nothing: 'the transformation left nothing to send',
  unauthorized: 'the receiver does not accept who sends it (401, 403)',
  timeout: 'the receiver did not answer in time',
  token_failed: 'there was no access token for it',
  tls_failed: 'there was no TLS with the receiver, or its certificate is not trusted',
};

/** Why deliveries of any connector fail, to choose from. */
export const KNOWN_REASONS: readonly string[] = Object.keys(FAILURES).toSorted();

/**
 * What is the matter, in words. An error class has itself beside them, to search for; connectors may have some of their
 * own, which are shown as they are.
 */
export function failureWords(errorClass: string): string {
  const words = FAILURES[errorClass];
  return STATES[errorClass] ?? (words === undefined ? errorClass : `${words} – ${errorClass}`);
}
