import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { howMany } from '../../shared/how-many';
import { ListTable } from '../../shared/list-table';
import { PersonLink } from '../../shared/person-link';
import { To } from '../../shared/to';

const PAGE_ROWS = 100;

/** Who is in a segment, by user ids. */
export function Members({ segment }: { readonly segment: Dto['SegmentDto'] }): ReactNode {
  const { id, memberCount, version, state } = segment;
  const list = useList(['segments', id, 'members', version, state], (cursor) =>
    pageOf(
      api.GET('/segments/{id}/members', {
        params: { path: { id }, query: { limit: PAGE_ROWS, cursor } },
      }),
    ),
  );
  return (
    <>
      <Text size="sm">
        {howMany(memberCount, 'user')}. Visitors who are no users yet are in segments too, but have no user id
        to be listed by.
      </Text>
      <ListTable
        label="Members"
        list={list}
        columns={columns(id)}
        rowKey={(userId) => userId}
        empty="Nobody."
      />
    </>
  );
}

function columns(id: string): readonly Column<string>[] {
  return [
    { title: 'User id', breaks: true, cell: (userId) => <PersonLink userId={userId} /> },
    {
      title: 'Reason',
      cell: (userId) => <To href={`/segments/${id}?${new URLSearchParams({ userId }).toString()}`}>Why?</To>,
    },
  ];
}
