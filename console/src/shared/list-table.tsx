import { Stack } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../api/client';
import type { List } from '../api/use-list';
import { Answered, type Asked } from './answered';
import { type Column, DataTable } from './data-table';
import { ShowMore } from './show-more';

interface ListTableProps<Row> {
  readonly label: string;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: ReactNode;
}

/** A listing of the API as a table, with a button for the next page while there is one. */
export function ListTable<Row>({ list, ...table }: ListTableProps<Row>): ReactNode {
  return (
    <Answered query={loadedPages(list)}>
      {({ pages }) => (
        <Stack>
          <DataTable {...table} rows={pages.flatMap(({ rows }) => rows)} />
          <ShowMore list={list} />
        </Stack>
      )}
    </Answered>
  );
}

/** A listing as it was before a next page was asked for: why that did not come is said where it would be. */
export function loadedPages<Row>(list: List<Row>): Asked<InfiniteData<ListPage<Row>>> {
  const { data, dataUpdatedAt, error, isPending, refetch, isFetchNextPageError } = list;
  return { data, dataUpdatedAt, isPending, refetch, error: isFetchNextPageError ? null : error };
}
