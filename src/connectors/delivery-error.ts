import type { Answer } from './connector';

/** What is known about a try that failed. */
export interface FailureDetails extends Answer {
  /** The receiver asked not to be tried again before this many milliseconds. */
  readonly retryAfterMs?: number;
  /** No delivery to this destination can succeed: it is switched off. */
  readonly disableDestination?: boolean;
}

/** A try failed; another one may succeed. `errorClass` is all that a tenant sees of the reason. */
export class RetryableDeliveryError extends Error {
  constructor(
    readonly errorClass: string,
    readonly details: FailureDetails = {},
  ) {
    super(errorClass);
  }
}

/** No further try can succeed: the delivery is dead. */
export class PermanentDeliveryError extends Error {
  constructor(
    readonly errorClass: string,
    readonly details: FailureDetails = {},
  ) {
    super(errorClass);
  }
}
