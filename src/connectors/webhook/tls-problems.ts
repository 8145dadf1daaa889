import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import type { TlsMaterial } from '../connector-context';

type Mistake = string | undefined;
type Member = keyof TlsMaterial;

/** Several certificates of some kilobytes; a key of RSA with 16,384 bits has 13. */
export const MAX_PEM_LENGTHS: Readonly<Record<Member, number>> = { ca: 65_536, cert: 32_768, key: 16_384 };

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
const KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4,ENCRYPTED/m;

/** What is wrong with the member `tls` of a config. Nothing of it is repeated. */
export function tlsProblems(tls: Readonly<Record<string, unknown>>, url: string): ProblemDetail[] {
  const problems = Object.entries(tls).flatMap(([name, value]) => {
    if (!Object.hasOwn(MAX_PEM_LENGTHS, name))
      return [problemAt(name, 'is not a member of tls', 'unknown_field')];
    const mistake = mistakeIn(name as Member, value);
    return mistake === undefined ? [] : [problemAt(name, mistake)];
  });
  if (!/^https:/i.test(url)) problems.push(problemAt(undefined, 'is for addresses that begin with https://'));
  return problems.length > 0 ? problems : togetherProblems(tls);
}

function mistakeIn(member: Member, value: unknown): Mistake {
  const maxLength = MAX_PEM_LENGTHS[member];
  if (typeof value !== 'string' || value.length > maxLength)
    return `must be a text of PEM, of at most ${maxLength} characters`;
  return member === 'key' ? mistakeInKey(value) : mistakeInCertificates(member, value);
}

function mistakeInCertificates(member: 'ca' | 'cert', text: string): Mistake {
  if (KEY.test(text))
    return 'holds a private key, which belongs in tls.key alone: this is shown to whoever reads it';
  const certificates = (text.match(CERTIFICATE) ?? []).map(readCertificate);
  if (certificates.length === 0 || certificates.length < text.split('-----BEGIN ').length - 1)
    return 'must be one or more certificates as PEM (-----BEGIN CERTIFICATE-----)';
  const unread = certificates.indexOf(undefined);
  if (unread >= 0) return `has no certificate that can be read as number ${unread + 1}`;
  // Of a client the first one is its own; of authorities a bundle may still hold some of the past.
  const needed = member === 'cert' ? certificates.slice(0, 1) : certificates;
  return needed.every(isExpired) ? `has expired (${needed[0]?.validTo})` : undefined;
}

function mistakeInKey(text: string): Mistake {
  if (ENCRYPTED.test(text)) return 'must not be encrypted: give it without a pass phrase, it is sealed here';
  return readKey(text) === undefined
    ? 'must be a private key as PEM (-----BEGIN PRIVATE KEY-----)'
    : undefined;
}

/**
 * The key is a secret that may stay as it is, and is not judged again then: what does not fit it is the certificate.
 */
function togetherProblems({ ca, cert, key }: TlsMaterial): ProblemDetail[] {
  if (ca === undefined && cert === undefined && key === undefined)
    return [problemAt(undefined, 'must have ca, or cert and key')];
  if (cert !== undefined && key === undefined) return [problemAt('key', 'must be given where tls.cert is')];
  if (key !== undefined && cert === undefined) return [problemAt('cert', 'must be given where tls.key is')];
  if (cert !== undefined && key !== undefined && !isOfKey(cert, key))
    return [problemAt('cert', 'is not the certificate of tls.key; the first one has to be')];
  try {
    createSecureContext({ ca, cert, key });
    return [];
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return [
      problemAt(undefined, `cannot be used: ${typeof code === 'string' ? code : 'OpenSSL refuses it'}`),
    ];
  }
}

function isOfKey(cert: string, key: string): boolean {
  const [own] = cert.match(CERTIFICATE) ?? [];
  const privateKey = readKey(key);
  return privateKey !== undefined && readCertificate(own ?? '')?.checkPrivateKey(privateKey) === true;
}

function isExpired(certificate: X509Certificate | undefined): boolean {
  return certificate !== undefined && Date.parse(certificate.validTo) < Date.now();
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // What the parser says of it helps nobody.
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // It is a secret: nothing may be said of it.
  }
}

function problemAt(name: string | undefined, message: string, code = 'invalid_tls'): ProblemDetail {
  const path = name === undefined ? 'tls' : `tls.${name}`;
  return { path, code, message: `${path} ${message}` };
}
