import type { Dto } from '../../api/client';
import type { Column } from '../../shared/data-table';
import { DeliveryState } from '../../shared/deliveries/delivery-state';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

/** Deliveries in a table. */
export const DELIVERY_COLUMNS: readonly Column<Dto['DeliveryDto']>[] = [
  { title: 'Routed', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Event',
    cell: ({ id, destinationId, eventName, eventType }) => (
      <To href={`/destinations/${destinationId}/deliveries/${id}`}>{eventName ?? eventType}</To>
    ),
  },
  { title: 'State', cell: ({ state }) => <DeliveryState state={state} /> },
  { title: 'Person', cell: ({ userId, anonymousId }) => userId ?? anonymousId },
  { title: 'Tries', cell: ({ attempts }) => attempts, align: 'right' },
  { title: 'Last failure', cell: ({ errorClass, reason }) => reason ?? errorClass },
];
