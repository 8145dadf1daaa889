/** A try failed; another one may succeed. */
export class RetryableDeliveryError extends Error {
  constructor(
    readonly errorClass: string,
    message: string,
    readonly details: { readonly status?: number; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
  }
}

/** No further try can succeed: the delivery is dead. `disableDestination` when that holds for all its deliveries. */
export class PermanentDeliveryError extends Error {
  constructor(
    readonly errorClass: string,
    message: string,
    readonly details: { readonly status?: number; readonly disableDestination?: boolean } = {},
  ) {
    super(message);
  }
}
