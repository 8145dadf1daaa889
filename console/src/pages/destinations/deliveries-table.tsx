import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import type { List } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { DeliveryState } from '../../shared/deliveries/delivery-state';
import { failureWords } from '../../shared/deliveries/failure-words';
import { ListTable } from '../../shared/list-table';
import { PersonLink } from '../../shared/person-link';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

type Delivery = Dto['DeliveryDto'];

interface DeliveriesTableProps<Row extends Delivery> {
  readonly label: string;
  readonly list: List<Row>;
  readonly empty: string;
  /** Where all are in one state, what is to be seen in its place. */
  readonly state?: Column<Row>;
  /** What these have beside what each delivery has. */
  readonly more?: readonly Column<Row>[];
}

export function DeliveriesTable<Row extends Delivery>({
  state = STATE,
  more = [],
  ...table
}: DeliveriesTableProps<Row>): ReactNode {
  return <ListTable {...table} columns={[...EVENT, state, ...TRIES, ...more]} rowKey={({ id }) => id} />;
}

const STATE: Column<Delivery> = { title: 'State', cell: ({ state }) => <DeliveryState state={state} /> };
const EVENT: readonly Column<Delivery>[] = [
  { title: 'Routed', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Event',
    breaks: true,
    cell: ({ id, destinationId, eventName, eventType }) => (
      <To href={`/destinations/${destinationId}/deliveries/${id}`}>{eventName ?? eventType}</To>
    ),
  },
];
const TRIES: readonly Column<Delivery>[] = [
  { title: 'Person', breaks: true, cell: (delivery) => <PersonLink {...delivery} /> },
  { title: 'Tries', cell: ({ attempts }) => attempts, align: 'right' },
  {
    title: 'Last failure',
    cell: ({ errorClass, reason }) => {
      const failure = reason ?? errorClass;
      return failure !== null && failureWords(failure);
    },
  },
];
