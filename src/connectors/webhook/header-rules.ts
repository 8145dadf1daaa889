/** RFC 9110, section 5.1. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** RFC 9110, section 5.5: Latin-1 without controls, and no white space at the ends, which receivers take away. */
const VALUE = /^[\x21-\x7e\xa1-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa1-\xff])?$/;
/** Tokens in the form of a JWT may have some kilobytes; receivers take 8 KB of headers or more. */
export const MAX_VALUE_LENGTH = 4_096;

/**
 * What frames the request or belongs to one connection, in lower case. Whoever set these could send two requests as
 * one.
 */
const OF_THE_CONNECTION = [
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const OF_THE_SERVICE = ['traceparent', 'tracestate', 'x-service-signature'];
const RESERVED = new Set([...OF_THE_CONNECTION, ...OF_THE_SERVICE]);
const RESERVED_BEGINNING = /^(?:content-|proxy-|webhook-)/i;

/** What is wrong with a name that an operator chooses for a header. */
export function mistakeInHeaderName(name: string): string | undefined {
  if (!NAME.test(name)) return "must be the name of a header: 1 to 100 letters, digits and !#$%&'*+-.^_`|~";
  // Receivers behind CGI and its like read both characters as one.
  const read = name.toLowerCase().replaceAll('_', '-');
  if (RESERVED.has(read) || RESERVED_BEGINNING.test(read))
    return 'is set by the service or belongs to the connection';
  return undefined;
}

/** What is wrong with the value of a header; it says nothing of the value, which is a secret. */
export function mistakeInHeaderValue(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || !VALUE.test(value))
    return `must be 1 to ${MAX_VALUE_LENGTH} characters of Latin-1, without line ends and controls, and no space at its ends`;
  return undefined;
}
