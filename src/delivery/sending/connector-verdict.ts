import type { Answer, Latency } from '../../connectors/connector';
import {
  type FailureDetails,
  PermanentDeliveryError,
  RetryableDeliveryError,
} from '../../connectors/delivery-error';
import type { ErrorClass } from '../../connectors/error-classes';
import { excerptOf } from '../../connectors/excerpt';
import type { SecretMask } from '../../connectors/secret-mask';

/** What a connector answered, or threw. */
export type ConnectorVerdict = Answer | RetryableDeliveryError | PermanentDeliveryError;

/** The class of what is a fault of the connector. */
export const CONNECTOR_ERROR: ErrorClass = 'connector_error';
const MAX_STATUS = 999;
/** A word: an index has it, which takes no long text, and metrics have it as a label. */
const WORD = /^[a-z0-9_]{1,64}$/;

/**
 * Connectors are other people's code, which no compiler may have seen: of what they answer only that is taken which is
 * what it should be. PostgreSQL would refuse the rest, again and again, when the outcome is written.
 * @param mask hides the secrets of the destination, which an answer may repeat
 */
export function answerFrom(given: unknown, mask: SecretMask): Answer {
  const { status, excerpt, latency } = membersOf(given);
  return {
    status: isStatus(status) ? status : undefined,
    excerpt: typeof excerpt === 'string' ? excerptOf(excerpt, mask) : undefined,
    latency: latencyFrom(latency),
  };
}

/**
 * As {@link answerFrom}, of what they throw. What is none of our errors, or has no word for a class, is a fault of the
 * connector.
 */
export function failureFrom(
  error: unknown,
  mask: SecretMask,
): RetryableDeliveryError | PermanentDeliveryError {
  const isPermanent = error instanceof PermanentDeliveryError;
  const isOurs = isPermanent || error instanceof RetryableDeliveryError;
  const { errorClass, details } = membersOf(error);
  if (!isOurs || !isWord(errorClass)) return new RetryableDeliveryError(CONNECTOR_ERROR);
  const Failure = isPermanent ? PermanentDeliveryError : RetryableDeliveryError;
  return new Failure(errorClass, detailsFrom(details, mask));
}

function detailsFrom(given: unknown, mask: SecretMask): FailureDetails {
  const { retryAfterMs, disableDestination, isOfEvent, isUnwanted } = membersOf(given);
  return {
    retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined,
    disableDestination: disableDestination === true,
    isOfEvent: isOfEvent === true,
    isUnwanted: isUnwanted === true,
    ...answerFrom(given, mask),
  };
}

function latencyFrom(given: unknown): Latency {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = membersOf(given);
  return {
    dnsMs: milliseconds(dnsMs),
    connectMs: milliseconds(connectMs),
    tlsMs: milliseconds(tlsMs),
    firstByteMs: milliseconds(firstByteMs),
  };
}

function membersOf(given: unknown): Partial<Record<string, unknown>> {
  return typeof given === 'object' && given !== null ? given : {};
}

function isWord(errorClass: unknown): errorClass is string {
  return typeof errorClass === 'string' && WORD.test(errorClass);
}

function isStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 0 && status <= MAX_STATUS;
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
