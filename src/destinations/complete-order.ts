import type { DeliveryOrder } from './destination.entity';

/** What is left out of an order has its default. */
export function completeOrder({
  by,
  maxWaitSeconds = 3_600,
  maxWaiting = 1_000,
  afterwards = 'pass',
}: Pick<DeliveryOrder, 'by'> & Partial<DeliveryOrder>): DeliveryOrder {
  return { by, maxWaitSeconds, maxWaiting, afterwards };
}
