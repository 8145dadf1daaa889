import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, type Dto, pageOf } from '../../api/client';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { Time } from '../../shared/time';
import { EntryDetails } from './entry-details';

const PAGE_ROWS = 50;
const RESOURCES = [
  'source',
  'destination',
  'segment',
  'profile',
  'delivery',
  'configuration',
  'queue',
  'token',
];
const FILTERS = ['resource', 'resourceId', 'actor'] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** Who changed what. The filters are in the address, so that it can be passed on. */
export function AuditPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const filters: Filters = Object.fromEntries(
    FILTERS.map((name) => [name, search.get(name) ?? '']).filter(([, value]) => value !== ''),
  );
  const list = useList(['audit', filters], (cursor) =>
    pageOf(api.GET('/audit', { params: { query: { ...filters, limit: PAGE_ROWS, cursor } } })),
  );
  return (
    <Page title="Audit">
      <FilterForm key={search.toString()} filters={filters} onSearch={setSearch} />
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

interface FilterFormProps {
  readonly filters: Filters;
  readonly onSearch: (filters: Filters) => void;
}

function FilterForm({ filters, onSearch }: FilterFormProps): ReactNode {
  const [draft, setDraft] = useState(filters);
  const set = (name: keyof Filters, value: string): void =>
    setDraft((before) => ({ ...before, [name]: value }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== '')));
  };
  return (
    <form onSubmit={submit}>
      <Group align="end">
        <Select
          label="Kind"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any kind' }}
          data={RESOURCES}
          value={draft.resource ?? null}
          onChange={(value) => set('resource', value ?? '')}
        />
        <TextInput
          label="Id"
          value={draft.resourceId ?? ''}
          onChange={(event) => set('resourceId', event.currentTarget.value)}
        />
        <TextInput
          label="Who"
          value={draft.actor ?? ''}
          onChange={(event) => set('actor', event.currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </Group>
    </form>
  );
}
