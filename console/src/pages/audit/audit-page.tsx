import type { ReactNode } from 'react';
import { api, type Dto, pageOf, type QueryOf } from '../../api/client';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { Time } from '../../shared/time';
import { Actor } from './actor';
import { ACTIONS, actionInWords, KINDS } from './audit-words';
import { AuditedThing } from './audited-thing';
import { EntryDetails } from './entry-details';

const PAGE_ROWS = 50;
type Query = QueryOf<'/audit'>;
const FILTERS: readonly Filter<'resource' | 'resourceId' | 'action' | 'actor' | 'from' | 'to'>[] = [
  { name: 'resource', label: 'Kind', kind: choicesOf(KINDS) },
  { name: 'action', label: 'Action', kind: choicesOf(ACTIONS) },
  { name: 'actor', label: 'Who' },
  { name: 'resourceId', label: 'Id' },
  { name: 'from', label: 'Changed from', kind: 'time' },
  { name: 'to', label: 'Changed before', kind: 'time' },
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
  { title: 'Who', cell: (entry) => <Actor entry={entry} /> },
  { title: 'Did', cell: ({ action }) => actionInWords(action) },
  { title: 'Kind', cell: ({ resource }) => KINDS[resource] },
  { title: 'What', breaks: true, cell: (entry) => <AuditedThing entry={entry} /> },
  { title: 'Change', breaks: true, cell: (entry) => <EntryDetails entry={entry} /> },
];

function choicesOf(words: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
