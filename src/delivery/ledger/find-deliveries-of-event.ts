import type { EventKey } from '../../events/customer-event';
import { lowestId, timeOfId } from '../../events/partitions/partition-plan';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedId } from '../../platform/database/statements/unplanned';
import { ofPeople } from './of-people';

/** A delivery of an event. */
export interface DeliveryOfEvent {
  readonly deliveryId: string;
  readonly destinationId: string;
}

const findDeliveriesOfEventSql = prepared('find_deliveries_of_event', { plannedOnce: true })`
  select id as "deliveryId", destination_id as "destinationId" from delivery
  where ${ofPeople('$1')} and event_id = $2 and id >= ${unplannedId('$3')} order by id limit 1000`;

/** The deliveries of an event, replayed ones too, oldest first. They are younger than their event. */
export function findDeliveriesOfEvent({ subject, id }: EventKey, tx: Tx): Promise<DeliveryOfEvent[]> {
  return tx.query<DeliveryOfEvent>(findDeliveriesOfEventSql, [[subject], id, lowestId(timeOfId(id))]);
}
