import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DataTable, type DataTableProps } from './data-table';

const MORE_ROWS = 100;

interface LongTableProps<Row> extends DataTableProps<Row> {
  /** So many of its rows are there from the beginning. */
  readonly first?: number;
}

/** Rows that are all known, but more than somebody wants to see at once: the first ones, and others on demand. */
export function LongTable<Row>({ first = MORE_ROWS, rows, ...table }: LongTableProps<Row>): ReactNode {
  const [shown, setShown] = useState(first);
  const left = rows.length - shown;
  return (
    <Stack gap="xs">
      <DataTable {...table} rows={rows.slice(0, shown)} />
      {left > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setShown(shown + MORE_ROWS)}
        >
          Show more ({left.toLocaleString()})
        </Button>
      )}
    </Stack>
  );
}
