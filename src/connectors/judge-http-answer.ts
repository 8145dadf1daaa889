import type { Answer } from './connector';
import { PermanentDeliveryError, RetryableDeliveryError } from './delivery-error';
import type { ErrorClass } from './error-classes';
import { parseRetryAfter } from './retry-after';

interface Judgement {
  /** The header of that name. */
  readonly retryAfter: string | undefined;
  /** None by default. */
  readonly finalStatuses?: readonly number[];
  /** Whether the event says where the request goes. */
  readonly isAddressOfEvent?: boolean;
}

/**
 * What an HTTP answer means for a delivery: 2xx is delivered; 410 ends the destination; one of the final statuses says
 * that this event will never be taken; anything else is tried again, not before `Retry-After`.
 * @throws RetryableDeliveryError, PermanentDeliveryError
 */
export function judgeHttpAnswer(
  answer: Answer & { readonly status: number },
  { retryAfter, finalStatuses, isAddressOfEvent = false }: Judgement,
): Answer {
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  if (status === 410) throw new PermanentDeliveryError('gone', { ...answer, disableDestination: true });
  if (finalStatuses?.includes(status) === true) throw new PermanentDeliveryError('refused', answer);
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  throw new RetryableDeliveryError(errorClassOfStatus(status, isAddressOfEvent), { ...answer, retryAfterMs });
}

/** Of the statuses below 500 these say nothing of what was sent. */
const NOT_OF_EVENT: ReadonlyMap<number, ErrorClass> = new Map([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [405, 'not_found'],
  [407, 'unauthorized'],
  [408, 'timeout'],
  [429, 'rate_limited'],
]);

function errorClassOfStatus(status: number, isAddressOfEvent: boolean): string {
  const errorClass = status === 404 && isAddressOfEvent ? undefined : NOT_OF_EVENT.get(status);
  return errorClass ?? `http_${Math.floor(status / 100)}xx`;
}
