import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { SOURCE_STATES } from '../../shared/states';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { CreateSource } from './create-source';

const PAGE_ROWS = 100;

export function SourcesPage(): ReactNode {
  const mayWrite = useCan('write');
  const list = useList(['sources'], (cursor) =>
    pageOf(api.GET('/sources', { params: { query: { limit: PAGE_ROWS, cursor } } })),
  );
  return (
    <Page title="Sources" actions={mayWrite && <CreateSource />}>
      <ListTable
        label="Sources"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={`No source yet. A source is what sends events: a site, an app, a server.${mayWrite ? ' Create one to get its write key.' : ''}`}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['HeardSourceDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/sources/${id}`}>{name}</To> },
  { title: 'Kind', cell: ({ kind }) => (kind === 'webhook' ? 'Webhook' : 'SDK') },
  { title: 'State', cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
  { title: 'Description', breaks: true, cell: ({ description }) => <Text size="sm">{description}</Text> },
  {
    title: 'Last event',
    cell: ({ lastEventAt }) => (lastEventAt === null ? 'None yet' : <Time at={lastEventAt} />),
  },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function EnabledBadge({ enabled }: { readonly enabled: boolean }): ReactNode {
  const { tone, word } = SOURCE_STATES[enabled ? 'enabled' : 'disabled'];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
