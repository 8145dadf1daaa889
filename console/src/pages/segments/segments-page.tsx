import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { ButtonTo, To } from '../../shared/to';
import { Computing } from './computing';

const PAGE_ROWS = 100;
/** While one of them is computed. */
const LOOK_EVERY_MS = 2_000;

export function SegmentsPage(): ReactNode {
  const list = useList(
    ['segments'],
    (cursor) => pageOf(api.GET('/segments', { params: { query: { limit: PAGE_ROWS, cursor } } })),
    ({ rows }) => rows.some(({ state }) => state === 'computing') && LOOK_EVERY_MS,
  );
  return (
    <Page
      title="Segments"
      actions={useCan('write') && <ButtonTo href="/segments/new">Create a segment</ButtonTo>}
    >
      <ListTable
        label="Segments"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No segment yet. A segment is the people for whom its rules hold, at any time."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['SegmentDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/segments/${id}`}>{name}</To> },
  { title: 'State', cell: (segment) => <Computing segment={segment} /> },
  { title: 'Members', cell: ({ memberCount }) => memberCount.toLocaleString(), align: 'right' },
  { title: 'Description', breaks: true, cell: ({ description }) => <Text size="sm">{description}</Text> },
];
