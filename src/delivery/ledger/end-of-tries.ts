import { DAY_MS, lowestId } from '../../events/partitions/partition-plan';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import type { Delivery } from './delivery.entity';

/** What tells when the last try of a delivery was. */
export interface TriedDelivery extends Pick<Delivery, 'id' | 'state'> {
  /** Or ISO 8601. */
  readonly updatedAt: Date | string;
}

/**
 * The id below which the tries of a delivery are: none comes after it has ended. A try and its delivery are written
 * together, by the clocks of two machines.
 */
export function endOfTries({ state, updatedAt }: TriedDelivery): string {
  return lowestId((state === 'pending' ? databaseNowMs() : new Date(updatedAt).getTime()) + DAY_MS);
}
