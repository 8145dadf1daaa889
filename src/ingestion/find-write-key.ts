import type { IncomingHttpHeaders } from 'node:http';

/** The user name of HTTP Basic, or undefined when the request has none. */
export function basicUser(headers: IncomingHttpHeaders): string | undefined {
  const match = /^basic +([a-z0-9+/_=-]+) *$/i.exec(headers.authorization ?? '');
  if (match?.[1] === undefined) return undefined;
  const user = Buffer.from(match[1], 'base64').toString('utf8').split(':', 1)[0];
  return user === '' ? undefined : user;
}

/** `writeKey` of a body that is sent by SDKs without headers of their own. */
export function bodyWriteKey(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('writeKey' in body)) return undefined;
  return typeof body.writeKey === 'string' && body.writeKey !== '' ? body.writeKey : undefined;
}
