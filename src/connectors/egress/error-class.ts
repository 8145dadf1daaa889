import type { ErrorClass } from '../error-classes';
import { DeadlineError } from './http-exchange';

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * What a tenant is told of a request that got no answer. Coarse on purpose: a port that is closed and one that does
 * not answer look the same, so that webhooks cannot be used to explore a network.
 */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof DeadlineError) return 'timeout';
  const { code: given, name } = error as { readonly code?: unknown; readonly name?: string };
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
