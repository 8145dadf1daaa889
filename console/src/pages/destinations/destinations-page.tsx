import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { ButtonTo, To } from '../../shared/to';
import { Health } from '../../shared/destinations/health';

const PAGE_ROWS = 25;
const LOOK_EVERY_MS = 10_000;

export function DestinationsPage(): ReactNode {
  const list = useList(
    ['destinations', 'stats'],
    (cursor) => pageOf(api.GET('/destinations/stats', { params: { query: { limit: PAGE_ROWS, cursor } } })),
    () => LOOK_EVERY_MS,
  );
  return (
    <Page
      title="Destinations"
      actions={useCan('write') && <ButtonTo href="/destinations/new">Create a destination</ButtonTo>}
    >
      <ListTable
        label="Destinations"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No destination yet. A destination is where events go: a webhook, a bucket, a tool."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['ListedStatsDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/destinations/${id}`}>{name}</To> },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Health', cell: ({ health }) => <Health health={health} /> },
];
