import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useSearchedList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { ListTable } from '../../shared/list-table';
import { LookingFurther } from '../../shared/looking-further';
import { Page } from '../../shared/page';
import { PersonLink } from '../../shared/person-link';
import { Time } from '../../shared/time';

const PAGE_ROWS = 50;
const SHOWN_TRAITS = 100;
const FILTERS: readonly Filter<'prefix' | 'trait' | 'anonymousId'>[] = [
  { name: 'prefix', label: 'User id begins with' },
  { name: 'trait', label: 'Trait, as name:value' },
  { name: 'anonymousId', label: 'Anonymous id' },
];

/** Known people, to be searched. */
export function PeoplePage(): ReactNode {
  const { prefix, trait, anonymousId } = useFilterValues(FILTERS);
  const query = { prefix, anonymousId, trait: trait === undefined ? undefined : [trait], limit: PAGE_ROWS };
  const { list, ...search } = useSearchedList(['people', 'search', query], (cursor, signal) =>
    pageOf(api.GET('/profiles', { params: { query: { ...query, cursor } }, signal })),
  );
  return (
    <Page title="People">
      <Filters filters={FILTERS} />
      <ListTable
        label="People"
        list={list}
        columns={columns(anonymousId)}
        rowKey={({ userId }) => userId ?? ''}
        empty={list.hasNextPage ? 'None so far.' : 'No such person is known.'}
      />
      <LookingFurther {...search} />
    </Page>
  );
}

/** @param anonymousId what a visitor who is no user was found by */
function columns(anonymousId: string | undefined): readonly Column<Dto['ProfileSummaryDto']>[] {
  return [
    {
      title: 'Person',
      breaks: true,
      cell: ({ userId }) => <PersonLink userId={userId} anonymousId={anonymousId} />,
    },
    { title: 'Traits', cell: ({ traits }) => <Code>{shortened(JSON.stringify(traits))}</Code> },
    { title: 'Groups', breaks: true, cell: ({ groups }) => shortened(groups.join(', ')) },
    { title: 'Events', cell: ({ eventCount }) => eventCount.toLocaleString(), align: 'right' },
    { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  ];
}

function shortened(text: string): string {
  return text.length > SHOWN_TRAITS ? `${text.slice(0, SHOWN_TRAITS)}…` : text;
}
