import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { Time } from '../../shared/time';
import { ButtonTo, To } from '../../shared/to';

const PAGE_ROWS = 100;

export function TransformationsPage(): ReactNode {
  const list = useList(['transformations'], (cursor) =>
    pageOf(api.GET('/transformations', { params: { query: { limit: PAGE_ROWS, cursor } } })),
  );
  return (
    <Page
      title="Transformations"
      actions={useCan('write') && <ButtonTo href="/transformations/new">Create a transformation</ButtonTo>}
    >
      <ListTable
        label="Transformations"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No transformation yet. It is code that changes events on their way to a destination, or makes them of the requests of a webhook."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['TransformationSummaryDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/transformations/${id}`}>{name}</To> },
  { title: 'Version', cell: ({ version }) => version, align: 'right' },
  { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { title: 'Description', breaks: true, cell: ({ description }) => <Text size="sm">{description}</Text> },
];
