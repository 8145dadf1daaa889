import type { Answer } from './connector';
import { PermanentDeliveryError, RetryableDeliveryError } from './delivery-error';
import { parseRetryAfter } from './retry-after';

interface Judgement {
  /** The header of that name. */
  readonly retryAfter: string | undefined;
  /** None by default. */
  readonly finalStatuses?: readonly number[];
}

/**
 * What an HTTP answer means for a delivery: 2xx is delivered; 410 ends the destination; one of the final statuses says
 * that this event will never be taken; anything else is tried again, not before `Retry-After`.
 * @throws RetryableDeliveryError, PermanentDeliveryError
 */
export function judgeHttpAnswer(
  answer: Answer & { readonly status: number },
  { retryAfter, finalStatuses }: Judgement,
): Answer {
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  if (status === 410) throw new PermanentDeliveryError('gone', { ...answer, disableDestination: true });
  if (finalStatuses?.includes(status) === true) throw new PermanentDeliveryError('refused', answer);
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  throw new RetryableDeliveryError(errorClassOfStatus(status), { ...answer, retryAfterMs });
}

function errorClassOfStatus(status: number): string {
  return status === 429 ? 'rate_limited' : `http_${Math.floor(status / 100)}xx`;
}
