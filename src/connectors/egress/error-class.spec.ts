import { errorClassOf } from './error-class';

describe('the class of an error', () => {
  it.each([
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client_certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'client_certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', 'client_certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'client_certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'client_certificate_refused'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'client_certificate_refused'],
    ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'client_certificate_refused'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_failed'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls_failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'tls_failed'],
    ['ECONNRESET', 'connection_closed'],
    ['ECONNREFUSED', 'connect_failed'],
  ])('%s is %s', (code, expected) =>
    expect(errorClassOf(Object.assign(new Error('…'), { code }))).toBe(expected),
  );
});
