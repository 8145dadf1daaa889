import type { ErrorClass } from '../error-classes';
import { DeadlineError } from './http-exchange';

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
/** What undici says where the receiver has answered, of its own accord or with a 100 that nobody has asked for. */
const BAD_RESPONSES = new Set(['bad response', 'bad upgrade']);
const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * What a tenant is told of a request that got no answer. Coarse on purpose: a port that is closed and one that does
 * not answer look the same, so that webhooks cannot be used to explore a network.
 */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof DeadlineError) return 'timeout';
  const { code: given, name, message } = error as Partial<Record<'code', unknown>> & Partial<Error>;
  // Errors of the web platform have numbers.
  const code = typeof given === 'string' ? given : '';
  if (code === 'CDP_BLOCKED_ADDRESS') return 'address_not_allowed';
  if (code === 'CDP_PROXY_FAILED') return 'proxy_failed';
  if (DNS_CODES.has(code)) return 'dns_failed';
  if (/_ALERT_(?:\w+_)?(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code))
    return 'client_certificate_refused';
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || /CERT|SIGNATURE|SSL|TLS/.test(code)) {
    return 'tls_failed';
  }
  if (message !== undefined && BAD_RESPONSES.has(message)) return 'invalid_response';
  if (CLOSED_CODES.has(code)) return 'connection_closed';
  if (
    name === 'HTTPParserError' ||
    code.startsWith('HPE_') ||
    code.startsWith('UND_ERR_RES') ||
    code === 'UND_ERR_HEADERS_OVERFLOW'
  ) {
    return 'invalid_response';
  }
  return 'connect_failed';
}
