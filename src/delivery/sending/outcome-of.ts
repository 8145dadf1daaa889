import {
  type FailureDetails,
  PermanentDeliveryError,
  RetryableDeliveryError,
} from '../../connectors/delivery-error';
import { isRefusal } from '../breaker/refusal';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { nextTry, type RetryPolicy } from '../retries/retry-policy';
import type { ConnectorVerdict } from './connector-verdict';

/** Of a delivery whose event is not stored any more. */
export const EVENT_EXPIRED = new PermanentDeliveryError('event_expired');

const DELIVERED = { state: 'delivered', errorClass: undefined } as const;

/** When a try was made, and how long it took. */
export interface TryTimes {
  readonly startedAt: Date;
  readonly totalMs: number;
}

/** What a try comes to for a delivery, whether it was sent alone or in a batch: delivered, tried again, or given up. */
export function outcomeOf(
  delivery: ClaimedDelivery,
  verdict: ConnectorVerdict,
  { startedAt, totalMs }: TryTimes,
  policy: RetryPolicy,
): DeliveryOutcome {
  const isFailure = verdict instanceof Error;
  const details: FailureDetails = isFailure ? verdict.details : verdict;
  // A long outage must not use up its tries.
  const isFree = delivery.isProbe === true && isFailure && !isRefusal(verdict);
  const next =
    isFailure && verdict instanceof RetryableDeliveryError
      ? nextTry(isFree ? { ...delivery, attemptLimit: Infinity } : delivery, details.retryAfterMs, policy)
      : undefined;
  const end = isFailure
    ? { state: next === undefined ? endOf(details) : ('pending' as const), errorClass: verdict.errorClass }
    : DELIVERED;
  const { status, excerpt, latency = {} } = details;
  // Put together member by member, because there are thousands a second.
  return {
    delivery,
    attempt: delivery.attempts + 1,
    waitMs: next?.waitMs ?? 0,
    retry: next,
    status,
    startedAt,
    totalMs,
    latency,
    answer: excerpt === '' ? undefined : excerpt,
    disableDestination: details.disableDestination ?? false,
    isOfEvent: details.isOfEvent,
    ...end, // Last: see decision 0184.
  };
}

function endOf({ isUnwanted }: FailureDetails): 'cancelled' | 'dead' {
  return isUnwanted === true ? 'cancelled' : 'dead';
}
