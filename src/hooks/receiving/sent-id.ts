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
  return candidates
    .map(plainNumber)
    .find(
      (id): id is string =>
        typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH && !id.includes('\0'),
    );
}
