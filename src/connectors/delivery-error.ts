import type { Answer } from './connector';

/** What is known about a try that failed. */
export interface FailureDetails extends Answer {
  /** The receiver asked not to be tried again before this many milliseconds. */
  readonly retryAfterMs?: number;
  /** No delivery to this destination can succeed: it is disabled. */
  readonly disableDestination?: boolean;
  /** The event was at fault, and nothing was sent: this says nothing of the receiver. */
  readonly isOfEvent?: boolean;
  /** Nothing was to be sent of the event: the delivery is cancelled. */
  readonly isUnwanted?: boolean;
}

const RETRYABLE = Symbol.for('cdp-service/retryable-delivery-error');
const PERMANENT = Symbol.for('cdp-service/permanent-delivery-error');

/**
 * A try failed; another one may succeed. `errorClass`, a word in snake_case, is all that a tenant sees of
 * the reason.
 *
 * A connector that is a package of its own may bring its own copy of this module, so `instanceof` goes by a mark.
 */
export class RetryableDeliveryError extends Error {
  readonly [RETRYABLE] = true;

  constructor(
    readonly errorClass: string,
    readonly details: FailureDetails = {},
  ) {
    super(errorClass);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, RETRYABLE);
  }
}

/** No further try can succeed: the delivery is dead. */
export class PermanentDeliveryError extends Error {
  readonly [PERMANENT] = true;

  constructor(
    readonly errorClass: string,
    readonly details: FailureDetails = {},
  ) {
    super(errorClass);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, PERMANENT);
  }
}

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === 'object' && value !== null && mark in value;
}
