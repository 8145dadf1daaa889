import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { subjectWords } from '../../shared/segments/rule-words';
import { ButtonTo, To } from '../../shared/to';
import { ValueStateBadge } from './value-state';

const PAGE_ROWS = 100;
/** While one of them is computed. */
const LOOK_EVERY_MS = 2_000;

export function ComputedTraitsPage(): ReactNode {
  const list = useList(
    ['computed-traits'],
    (cursor) => pageOf(api.GET('/computed-traits', { params: { query: { limit: PAGE_ROWS, cursor } } })),
    ({ rows }) => rows.some(({ values }) => values === 'computing') && LOOK_EVERY_MS,
  );
  return (
    <Page
      title="Computed traits"
      actions={useCan('write') && <ButtonTo href="/computed-traits/new">Create a computed trait</ButtonTo>}
    >
      <ListTable
        label="Computed traits"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty="No computed trait yet. It is a name for a value about what people did, which profiles show, and rules of segments and filters of destinations ask about."
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Dto['ComputedTraitDto']>[] = [
  { title: 'Name', breaks: true, cell: ({ id, name }) => <To href={`/computed-traits/${id}`}>{name}</To> },
  { title: 'What it is', cell: (trait) => <Text size="sm">{subjectWords(trait)}</Text> },
  { title: 'Values', cell: (trait) => <ValueStateBadge trait={trait} /> },
  { title: 'Description', breaks: true, cell: ({ description }) => <Text size="sm">{description}</Text> },
];
