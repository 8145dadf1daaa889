/** A delivery that has just been recorded as dead. */
export interface DeadDelivery {
  readonly deliveryId: string;
  readonly destinationId: string;
  /** Tries made. */
  readonly attempt: number;
  /** The error class of the last try, or `expired` when there was none. */
  readonly reason: string;
  readonly status?: number | undefined;
}
