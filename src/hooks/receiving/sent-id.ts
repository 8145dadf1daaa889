import type { IncomingHttpHeaders } from 'node:http';
import { plainNumber } from '../../events/exact-json';
import { SCHEMES, type SignatureScheme } from '../../sources/signature/signature';

const MAX_LENGTH = 200;

/** Undefined where the scheme has none: then each request counts. */
export function sentIdOf(
  scheme: SignatureScheme | undefined,
  headers: IncomingHttpHeaders,
  body: unknown,
): string | undefined {
  if (scheme === undefined) return undefined;
  const { idIn } = SCHEMES[scheme];
  const candidates =
    'member' in idIn
      ? [(body as Partial<Record<string, unknown>> | null)?.[idIn.member]]
      : idIn.headers.map((name) => headers[name]);
  const id = candidates.map(plainNumber).find(isId);
  const topic = 'headers' in idIn && idIn.topic !== undefined ? headers[idIn.topic] : undefined;
  if (id === undefined || typeof topic !== 'string') return id;
  const whole = `${id}-${topic}`;
  return isId(whole) ? whole : id;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH && !value.includes('\0');
}
