/** A delivery that has just been recorded as dead. */
export interface GivenUpDelivery {
  readonly deliveryId: string;
  readonly destinationId: string;
  /** Tries made. */
  readonly attempt: number;
  readonly errorClass: string;
  readonly status?: number | undefined;
}
