import type { ReactNode } from 'react';
import { api, type Dto, pageOf, type QueryOf } from '../../api/client';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { Time } from '../../shared/time';
import { EntryDetails } from './entry-details';

const PAGE_ROWS = 50;
type Query = QueryOf<'/audit'>;
const KINDS: Readonly<Record<NonNullable<Query['resource']>, string>> = {
  source: 'Source',
  tracking_plan: 'Tracking plan',
  transformation: 'Transformation',
  destination: 'Destination',
  segment: 'Segment',
  computed_trait: 'Computed trait',
  profile: 'Person',
  delivery: 'Delivery',
  quarantine: 'Quarantine',
  hook_request: 'Request of a webhook',
  configuration: 'Configuration',
  queue: 'Queue',
  token: 'Token',
};
const FILTERS: readonly Filter<'resource' | 'resourceId' | 'actor'>[] = [
  {
    name: 'resource',
    label: 'Kind',
    kind: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
  },
  { name: 'resourceId', label: 'Id' },
  { name: 'actor', label: 'Who' },
];

/** Who changed what. */
export function AuditPage(): ReactNode {
  // The service refuses what the address has wrong, and says what.
  const filters = useFilterValues(FILTERS) as Query;
  const list = useList(['audit', filters], (cursor) =>
    pageOf(api.GET('/audit', { params: { query: { ...filters, limit: PAGE_ROWS, cursor } } })),
  );
  return (
    <Page title="Audit">
      <Filters filters={FILTERS} />
      <ListTable
        label="Changes"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No change that fits."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['AuditEntryDto']>[] = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'Who', cell: ({ actor }) => actor },
  { title: 'Did', cell: ({ action }) => action },
  { title: 'What', cell: ({ resource, resourceId }) => `${resource} ${resourceId}` },
  { title: 'Change', cell: (entry) => <EntryDetails entry={entry} /> },
];
