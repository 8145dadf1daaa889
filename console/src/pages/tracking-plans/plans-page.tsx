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

export function PlansPage(): ReactNode {
  const list = useList(['tracking-plans'], (cursor) =>
    pageOf(api.GET('/tracking-plans', { params: { query: { limit: PAGE_ROWS, cursor } } })),
  );
  return (
    <Page
      title="Tracking plans"
      actions={useCan('write') && <ButtonTo href="/tracking-plans/new">Create a tracking plan</ButtonTo>}
    >
      <ListTable
        label="Tracking plans"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No tracking plan yet. It says what the events of a source look like, and what becomes of those that do not."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['TrackingPlanSummaryDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/tracking-plans/${id}`}>{name}</To> },
  { title: 'Rules', cell: ({ ruleCount }) => ruleCount.toLocaleString(), align: 'right' },
  { title: 'Version', cell: ({ version }) => version, align: 'right' },
  { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { title: 'Description', breaks: true, cell: ({ description }) => <Text size="sm">{description}</Text> },
];
