import type { IncomingHttpHeaders } from 'node:http';
import type { HmacScheme, SignatureSettings } from '../../sources/signature/signature';

/** More than any sender puts on a request: beyond them nothing is compared. */
const MAX_SIGNATURES = 10;

/** What a request says of its signature. */
export interface Claim {
  readonly algorithm: HmacScheme['algorithm'];
  /** What is signed stands in front of the body. */
  readonly before: string;
  /** Any of them may be right. */
  readonly signatures: readonly Buffer[];
  /** Signed, in seconds since 1970; undefined where the scheme signs no time. */
  readonly sentAtSeconds: number | undefined;
}

type Headers = (name: string) => string | undefined;

/** Undefined when a header is missing that the scheme needs, or is not of its form. */
export function readClaim(
  { scheme, hmac }: SignatureSettings,
  headers: IncomingHttpHeaders,
): Claim | undefined {
  const header: Headers = (name) => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  switch (scheme) {
    case 'standard-webhooks':
      return standardClaim(header);
    case 'github':
      return claim(one(header('x-hub-signature-256'), 'sha256=', 'hex'));
    case 'stripe':
      return stripeClaim(header('stripe-signature'));
    case 'shopify':
      return claim(one(header('x-shopify-hmac-sha256'), '', 'base64'));
    case 'slack': {
      const time = header('x-slack-request-timestamp');
      return timed(time, one(header('x-slack-signature'), 'v0=', 'hex'), `v0:${time}:`);
    }
    case 'hmac':
      return hmac === null ? undefined : hmacClaim(hmac, header);
  }
}

/** Svix, whose scheme it was, still sends its own names. */
function standardClaim(header: Headers): Claim | undefined {
  const [id, time, given] = ['id', 'timestamp', 'signature'].map(
    (name) => header(`webhook-${name}`) ?? header(`svix-${name}`),
  );
  if (id === undefined || given === undefined) return undefined;
  const signatures = given.split(' ').flatMap((text) => one(text, 'v1,', 'base64'));
  return timed(time, signatures, `${id}.${time}.`);
}

/** `t=1492774577,v1=5257a8…,v1=…,v0=…` */
function stripeClaim(given: string | undefined): Claim | undefined {
  const parts = given?.split(',').map((part) => part.trim()) ?? [];
  const time = parts.find((part) => part.startsWith('t='))?.slice(2);
  return timed(
    time,
    parts.flatMap((part) => one(part, 'v1=', 'hex')),
    `${time}.`,
  );
}

function hmacClaim(
  { header: name, algorithm, encoding, prefix, timestampHeader }: HmacScheme,
  header: Headers,
): Claim | undefined {
  const signatures = one(header(name), prefix, encoding);
  if (timestampHeader === null) return claim(signatures, { algorithm });
  const time = header(timestampHeader);
  return timed(time, signatures, `${time}.`, algorithm);
}

function timed(
  time: string | undefined,
  signatures: readonly Buffer[],
  before: string,
  algorithm: Claim['algorithm'] = 'sha256',
): Claim | undefined {
  if (time === undefined || !/^\d{1,11}$/.test(time)) return undefined;
  return claim(signatures, { algorithm, before, sentAtSeconds: Number(time) });
}

function claim(signatures: readonly Buffer[], more: Partial<Claim> = {}): Claim | undefined {
  if (signatures.length === 0) return undefined;
  const untimed = { algorithm: 'sha256', before: '', sentAtSeconds: undefined } as const;
  return { ...untimed, ...more, signatures: signatures.slice(0, MAX_SIGNATURES) };
}

/** The signature in a text, alone in a list; the list is empty when the text is not of the form. */
function one(text: string | undefined, prefix: string, encoding: 'hex' | 'base64'): Buffer[] {
  if (text === undefined || !text.startsWith(prefix)) return [];
  const digits = text.slice(prefix.length).trim();
  const form = encoding === 'hex' ? /^(?:[0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/;
  return form.test(digits) ? [Buffer.from(digits, encoding)] : [];
}
