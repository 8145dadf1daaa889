import type { IncomingHttpHeaders } from 'node:http';

/** The user name of HTTP Basic, or undefined when the request has none. */
export function basicUser(headers: IncomingHttpHeaders): string | undefined {
  const match = /^basic +([a-z0-9+/_=-]+) *$/i.exec(headers.authorization ?? '');
  if (match?.[1] === undefined) return undefined;
  const user = Buffer.from(match[1], 'base64').toString('utf8').split(':', 1)[0];
  return user === '' ? undefined : user;
}

/**
 * The write key in the headers: of HTTP Basic or, as Jitsu's SDK sends it, `X-Write-Key`. That one takes keys of two
 * parts only and shows what stands before the colon in its logs, so the key comes after it; before it stands anything.
 */
export function headerWriteKey(headers: IncomingHttpHeaders): string | undefined {
  const basic = basicUser(headers);
  if (basic !== undefined) return basic;
  const { 'x-write-key': given } = headers;
  if (typeof given !== 'string') return undefined;
  const key = given.slice(given.indexOf(':') + 1).trim();
  return key === '' ? undefined : key;
}

const MAX_KEYS_IN_TEXT = 4;
const MAX_MENTIONS = 100;

/**
 * What may be the `writeKey` of a body that is not even decoded yet: at most four different texts of
 * the first hundred. To decode and parse
 * it costs up to a hundred times as much, and is not done for a sender without a key.
 */
export function writeKeysIn(body: Buffer): ReadonlySet<string> {
  const found = new Set<string>();
  let mentions = 0;
  for (const [, key] of body.toString('latin1').matchAll(/"writeKey"\s*:\s*"([^"\\]{1,255})"/g)) {
    if (key !== undefined) found.add(key);
    mentions += 1;
    if (found.size === MAX_KEYS_IN_TEXT || mentions === MAX_MENTIONS) break;
  }
  return found;
}

/** `writeKey` of a body that is sent by SDKs without headers of their own. */
export function bodyWriteKey(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('writeKey' in body)) return undefined;
  return typeof body.writeKey === 'string' && body.writeKey !== '' ? body.writeKey : undefined;
}
