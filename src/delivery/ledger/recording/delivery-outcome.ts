import type { Latency } from '../../../connectors/connector';
import type { Wait } from '../../retries/retry-policy';
import type { ClaimedDelivery } from '../claiming/claimed-delivery';

interface TryOutcome {
  readonly delivery: ClaimedDelivery;
  /** The number of this try; the first is 1. */
  readonly attempt: number;
  /** Of pending ones: they are tried again within it. */
  readonly waitMs: number;
  /** How the job of the next try goes on; of pending ones. */
  readonly retry?: Pick<Wait, 'stepMs' | 'isMoved'> | undefined;
  readonly status: number | undefined;
  readonly startedAt: Date;
  readonly totalMs: number;
  readonly latency: Latency;
  /** At most 1 KB. */
  readonly answer: string | undefined;
  /** The receiver said that nothing can be delivered to it any more. */
  readonly disableDestination: boolean;
  /** The event was at fault, and nothing was sent. */
  readonly isOfEvent?: boolean | undefined;
}

/** The state of the delivery from now on, and why it was not delivered. */
export interface Delivered extends TryOutcome {
  readonly state: 'delivered';
  readonly errorClass: undefined;
}

export interface NotDelivered extends TryOutcome {
  readonly state: 'pending' | 'dead' | 'cancelled';
  readonly errorClass: string;
}

/** What one try came to. */
export type DeliveryOutcome = Delivered | NotDelivered;
