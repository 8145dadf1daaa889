import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** A new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The shortest key that a new secret may be, as for the key of a mapping. Standard Webhooks asks for 24 bytes, and what
 * the service makes has 32; but receivers that verify with what another sender gave them keep their secret.
 */
export const MIN_SECRET_BYTES = 8;

/** Whether a secret that claims the form `whsec_<base64>` has it. Any other text is a secret as it stands. */
export function isWellFormedSecret(secret: string): boolean {
  return !secret.startsWith(PREFIX) || BASE64.test(secret.slice(PREFIX.length));
}

/** The key of the Standard Webhooks signature: the decoded bytes of `whsec_<base64>`, else the text's own bytes. */
export function standardWebhooksKey(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
