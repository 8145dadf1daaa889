import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import { api, type Dto, pageOf, type QueryOf } from '../../api/client';
import { useSearchedList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { Filters, useFilterValues } from '../../shared/filters';
import { ListTable } from '../../shared/list-table';
import { LookingFurther } from '../../shared/looking-further';
import { Page } from '../../shared/page';
import { PersonLink } from '../../shared/person-link';
import { SourceLink } from '../../shared/source-link';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { useEventFilters } from './event-filters';
import { EventsNavigation } from './events-navigation';

const PAGE_ROWS = 50;

export function EventsPage(): ReactNode {
  const filters = useEventFilters();
  // The service refuses what the address has wrong, and says what.
  const values = useFilterValues(filters) as QueryOf<'/events'>;
  const { list, ...search } = useSearchedList(['events', values], (cursor, signal) =>
    pageOf(api.GET('/events', { params: { query: { ...values, limit: PAGE_ROWS, cursor } }, signal })),
  );
  return (
    <Page title="Events">
      <EventsNavigation />
      <Filters filters={filters} />
      <Text size="sm">
        The one accepted last stands first. An event released from quarantine was accepted when it was
        released.
      </Text>
      <ListTable
        label="Accepted events"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={list.hasNextPage ? 'None so far.' : <NoEvent />}
      />
      <LookingFurther {...search} />
    </Page>
  );
}

function NoEvent(): ReactNode {
  const search = useSearch();
  const query = search === '' ? '' : `?${search}`;
  return (
    <>
      No such event was accepted. <To href={`/events/rejected${query}`}>Look among the rejected ones</To>, or{' '}
      <To href={`/events/quarantined${query}`}>among the quarantined ones</To>
    </>
  );
}

const COLUMNS: readonly Column<Dto['EventDto']>[] = [
  { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { title: 'Event', breaks: true, cell: ({ id, name }) => <To href={`/events/${id}`}>{name}</To> },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Person', breaks: true, cell: (event) => <PersonLink {...event} /> },
  { title: 'Source', breaks: true, cell: ({ sourceId }) => <SourceLink id={sourceId} /> },
];
