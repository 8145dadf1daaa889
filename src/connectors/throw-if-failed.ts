import type { OutboundResponse } from './connector-context';
import type { Answer } from './connector';
import { PermanentDeliveryError, RetryableDeliveryError } from './delivery-error';
import { parseRetryAfter } from './webhook/retry-after';

const EXCERPT_BYTES = 1024;

/**
 * The usual meaning of an HTTP answer: 2xx is delivered; 410 ends the destination; 400, 404, 413 and 422 say that
 * this event will never be taken; anything else is tried again, not before `Retry-After`.
 */
export function throwIfFailed({ status, headers, body }: OutboundResponse): Answer {
  const answer = { status, excerpt: body.subarray(0, EXCERPT_BYTES).toString('utf8') };
  if (status >= 200 && status < 300) return answer;
  if (status === 410) throw new PermanentDeliveryError('gone', { ...answer, disableDestination: true });
  if ([400, 404, 413, 422].includes(status)) throw new PermanentDeliveryError('refused', answer);
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  const errorClass = status === 429 ? 'rate_limited' : `http_${Math.floor(status / 100)}xx`;
  throw new RetryableDeliveryError(errorClass, { ...answer, retryAfterMs });
}
