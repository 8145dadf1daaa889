import type { DeliveryReader } from '../delivery/api/delivery-reader';
import type { ActiveDestinations } from '../destinations/active-destinations';
import type { CustomerEvent } from '../events/customer-event';
import { Config } from '../platform/config/config';
import type { Database } from '../platform/database/database';
import { Routed } from './routed';

const EVENT_ID = '01930000-0000-7000-8000-000000000000';

it('reads a few deliveries of an event at once, however many there are, and tells of them in order', async () => {
  const found = Array.from({ length: 1_000 }, (_, n) => ({ deliveryId: `d-${n}`, destinationId: 'gone' }));
  let running = 0;
  let most = 0;
  const findOne = async (id: string): Promise<object> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return { id, state: 'delivered' };
  };
  const destinations = { refresh: async () => undefined, snapshot: new Map(), get: () => undefined };
  const routed = new Routed(
    { query: async () => found } as unknown as Database,
    { findOne } as unknown as DeliveryReader,
    destinations as unknown as ActiveDestinations,
    Config.from({}),
  );
  const event = { id: EVENT_ID, subject: 'u:1' } as unknown as CustomerEvent;
  const told = await routed.of(event, true);
  expect(told.map(({ delivery }) => delivery?.id)).toEqual(found.map(({ deliveryId }) => deliveryId));
  expect(most).toBeLessThan(10);
});
