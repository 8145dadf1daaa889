import { createHmac } from 'node:crypto';
import { standardWebhooksKey } from './secret';

/** The usual name of the header with the signature of the body. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

interface SignedMessage {
  /** The delivery id. */
  readonly id: string;
  /** The exact bytes that are sent. */
  readonly body: Buffer;
  /** Unix time in seconds. */
  readonly timestamp: number;
}

/**
 * The headers that prove where a request comes from, as name, value, name, value.
 * - `<signatureHeader>: sha256=<hex>`: HMAC-SHA256 over the body, keyed with the newest secret as it was given;
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: https://www.standardwebhooks.com, one `v1,<base64>` per
 *   secret, the newest first.
 */
export function signatureHeaders(
  message: SignedMessage,
  secrets: readonly [string, ...string[]],
  signatureHeader: string,
): string[] {
  const { id, body, timestamp } = message;
  const standard = secrets.map((secret) => {
    const hmac = createHmac('sha256', standardWebhooksKey(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return [
    signatureHeader,
    `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    'webhook-id',
    id,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    standard.join(' '),
  ];
}
