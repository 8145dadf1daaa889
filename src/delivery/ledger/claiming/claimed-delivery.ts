/** A pending delivery that this process holds a lease on: no other process sends it now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly destinationId: string;
  /** Tries so far. */
  readonly attempts: number;
  /**
   * Tries among them that are none that it has: those that found out whether the destination is back, and those of
   * batches that were divided. None by default.
   */
  readonly probes?: number;
  /** Whether it is sent to find out whether its destination is back. No by default. */
  readonly isProbe?: boolean;
  /** How many tries there may be, probes aside, when it is not the configured number. */
  readonly attemptLimit: number | undefined;
  /** As PostgreSQL writes it. */
  readonly dueAt?: string;
  readonly eventType: string;
  /** Undefined of notices. */
  readonly sourceId?: string | undefined;
  /** The JSON text to send; undefined when the event is gone (retention). */
  readonly body: string | undefined;
  /** The span that it belongs to, when the request that brought the event is traced. */
  readonly traceparent?: string | undefined;
  /** In a destination with an order whose it is: somebody may wait for its end. See `personKey`. */
  readonly person?: string | undefined;
  /** When the lease ends, by this process's `performance.now()`. */
  readonly leaseEndsAt: number;
}
