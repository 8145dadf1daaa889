import type { DeliveryOrder } from './destination.entity';

/** What stands for the members that are left out of an order. */
export const ORDER_DEFAULTS = { maxWaitSeconds: 3_600, maxWaiting: 1_000, afterwards: 'pass' } as const;

/** An order with all its members. */
export function completeOrder({
  by,
  maxWaitSeconds = ORDER_DEFAULTS.maxWaitSeconds,
  maxWaiting = ORDER_DEFAULTS.maxWaiting,
  afterwards = ORDER_DEFAULTS.afterwards,
}: Pick<DeliveryOrder, 'by'> & Partial<DeliveryOrder>): DeliveryOrder {
  return { by, maxWaitSeconds, maxWaiting, afterwards };
}
