import type { ReactNode } from 'react';
import { api, type Dto, pageOf, type QueryOf } from '../../api/client';
import { useList } from '../../api/use-list';
import { DELIVERY_STATES } from '../../shared/states';
import { TYPE_FILTER } from '../../shared/event-types';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { DeliveriesTable } from './deliveries-table';
import { DestinationFrame } from './destination-frame';
import { WhyPending } from './why-pending';

const PAGE_ROWS = 50;

const STATES: readonly Dto['DeliveryDto']['state'][] = ['pending', 'delivered', 'dead', 'cancelled'];
const FILTERS: readonly Filter<'state' | 'type' | 'userId' | 'from' | 'to'>[] = [
  {
    name: 'state',
    label: 'State',
    kind: STATES.map((state) => ({ value: state, label: DELIVERY_STATES[state].word })),
  },
  TYPE_FILTER,
  { name: 'userId', label: 'User id' },
  { name: 'from', label: 'Routed from', kind: 'time' },
  { name: 'to', label: 'Routed before', kind: 'time' },
];

export function DeliveriesPage(): ReactNode {
  return (
    <DestinationFrame part="deliveries">
      {(destination) => <Deliveries destination={destination} />}
    </DestinationFrame>
  );
}

function Deliveries({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { id } = destination;
  // The service refuses what the address has wrong, and says what.
  const values = useFilterValues(FILTERS) as QueryOf<'/destinations/{id}/deliveries'>;
  const list = useList(['destinations', id, 'deliveries', values], (cursor) =>
    pageOf(
      api.GET('/destinations/{id}/deliveries', {
        params: { path: { id }, query: { ...values, limit: PAGE_ROWS, cursor } },
      }),
    ),
  );
  return (
    <>
      <Filters filters={FILTERS} />
      {(values.state ?? 'pending') === 'pending' && <WhyPending destination={destination} />}
      <DeliveriesTable label="Deliveries" list={list} empty="No such delivery." />
    </>
  );
}
