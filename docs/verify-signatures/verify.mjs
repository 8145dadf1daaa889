// Node 18 or later, no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** `X-Service-Signature`. `rawBody` is the bytes as they came, before any parsing. */
export function isFromService(secret, rawBody, signature) {
  const expected = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
  return isEqual(expected, signature);
}

/** Standard Webhooks: also refuses what is older than five minutes, so that nobody can send it again. */
export function isStandardWebhook(secret, rawBody, headers, nowSeconds = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= 300)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  // After a rotation there are two signatures, one per secret.
  return String(signatures)
    .split(' ')
    .some((signature) => isEqual(`v1,${digest}`, signature));
}

function isEqual(expected, given) {
  const [a, b] = [Buffer.from(expected), Buffer.from(String(given))];
  return a.length === b.length && timingSafeEqual(a, b);
}
