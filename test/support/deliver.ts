import { Deliveries } from '../../src/delivery/deliveries';
import type { TrackEvent } from '../../src/events/customer-event';
import { EventStore } from '../../src/events/event-store';
import { Database } from '../../src/platform/database/database';
import { storable } from './an-event';
import type { TestService } from './test-service';

/** Stores events and routes them, as ingestion and the event processor do. */
export async function deliver(service: TestService, events: readonly TrackEvent[]): Promise<void> {
  const database = service.app.get(Database);
  const deliveries = service.app.get(Deliveries, { strict: false });
  const stored = await service.app.get(EventStore, { strict: false }).store(events.map(storable));
  const chunks = await database.transaction(async (tx) => {
    // Or the event processor would route them, too.
    const taken = await tx.query('delete from inbox where id = $1 returning id', [stored.inboxId]);
    if (taken.length === 0) throw new Error('The event processor was faster: run the test again.');
    await deliveries.refresh(tx);
    return deliveries.route(events, [], tx);
  });
  await deliveries.enqueue(chunks);
}

export interface LedgerRow {
  readonly id: string;
  readonly destination_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly error_class: string | null;
}

/** The deliveries of a destination, oldest first. */
export async function ledgerOf(service: TestService, destinationId: string): Promise<LedgerRow[]> {
  return service.app
    .get(Database)
    .query<LedgerRow & Record<string, unknown>>(
      'select * from delivery where destination_id = $1 order by id',
      [destinationId],
    );
}
