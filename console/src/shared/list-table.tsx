import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { List } from '../api/use-list';
import { Answered } from './answered';
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
    <Answered query={list}>
      {({ pages }) => (
        <Stack>
          <DataTable {...table} rows={pages.flatMap(({ rows }) => rows)} />
          <ShowMore list={list} />
        </Stack>
      )}
    </Answered>
  );
}
