import { parseUrl } from '../../platform/http/input/parse-url';

/** Where a request goes to, taken from a URL once it was found acceptable. */
export interface Target {
  /** `https://host:port` */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** The host name or literal address, without brackets and final dots. */
  readonly host: string;
}

/** Names that stand for a machine's own services whatever a resolver says of them. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data']);

/** @param host in lower case, or as an operator wrote it */
export function isReservedName(host: string): boolean {
  return METADATA_NAMES.has(host.toLowerCase().replace(/\.+$/, ''));
}

/** Parsed before; a delivery costs a lookup. Forgotten altogether when it grows too large. */
const parsed = new Map<string, Target | string>();
const MAX_PARSED = 10_000;

/**
 * Parses a URL that requests may be sent to; a string says what is wrong with it. The WHATWG parser turns every
 * spelling of an IPv4 address (decimal, octal, hex, short, unicode digits) into the usual one.
 */
export function parseTarget(text: string): Target | string {
  let target = parsed.get(text);
  if (target === undefined) {
    target = parse(text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, target);
  }
  return target;
}

function parse(text: string): Target | string {
  // The parser would drop or turn these silently, so that two readers of one URL could see two hosts.
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not come in.
  if (/[\u0000-\u0020\\]/.test(text)) return 'must not hold white space, control characters or backslashes';
  if (!/^https?:\/\/[^/?#]/i.test(text)) return 'must start with http:// or https:// and a host';
  const url = parseUrl(text);
  if (url === undefined) return 'is not a valid URL';
  // Empty ones, which the parser drops, are no better: two readers of `https://a@b` could see two hosts.
  if (url.username !== '' || url.password !== '' || /^[^/]+\/\/[^/?#]*@/.test(text))
    return 'must not hold credentials';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (host === '' || isReservedName(host)) return 'names no public host';
  return { origin: url.origin, path: url.pathname + url.search, host };
}
