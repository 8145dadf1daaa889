import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '../../sources/signature/signature';

const MAX_LENGTH = 200;

/** What senders call a request, and call it again when they repeat it. */
const IN_HEADERS: Partial<Record<SignatureScheme, readonly string[]>> = {
  'standard-webhooks': ['webhook-id', 'svix-id'],
  github: ['x-github-delivery'],
  shopify: ['x-shopify-event-id', 'x-shopify-webhook-id'],
};

/** The same in the body. */
const IN_BODY: Partial<Record<SignatureScheme, string>> = { stripe: 'id', slack: 'event_id' };

/** Undefined where the scheme has none: then each request counts. */
export function sentIdOf(
  scheme: SignatureScheme | undefined,
  headers: IncomingHttpHeaders,
  body: unknown,
): string | undefined {
  if (scheme === undefined) return undefined;
  const member = IN_BODY[scheme];
  const inBody =
    member === undefined ? undefined : (body as Partial<Record<string, unknown>> | null)?.[member];
  const candidates = [...(IN_HEADERS[scheme] ?? []).map((name) => headers[name]), inBody];
  return candidates.find(
    (id): id is string =>
      typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH && !id.includes('\0'),
  );
}
