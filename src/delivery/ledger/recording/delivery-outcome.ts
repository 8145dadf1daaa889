import type { Latency } from '../../../connectors/connector';
import type { Wait } from '../../retries/retry-policy';
import type { ClaimedDelivery } from '../claiming/claimed-delivery';

/** What one try came to. */
export interface DeliveryOutcome {
  readonly delivery: ClaimedDelivery;
  /** The number of this try; the first is 1. */
  readonly attempt: number;
  /** The state of the delivery from now on; `pending` is tried again within `waitMs`. */
  readonly state: 'delivered' | 'pending' | 'dead' | 'cancelled';
  readonly waitMs: number;
  /** How the job of the next try goes on; of pending ones. */
  readonly retry?: Pick<Wait, 'stepMs' | 'isMoved'> | undefined;
  readonly errorClass: string | undefined;
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
