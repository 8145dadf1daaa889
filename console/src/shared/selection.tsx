import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Column } from './data-table';

/** Rows of a table that somebody has selected, to do something to them alone. */
export interface Selection<Row> {
  /** Of the rows that are shown: what is gone is not selected either. */
  readonly ids: readonly string[];
  /** The first one of the table: a checkbox in each row. */
  readonly column: Column<Row>;
  /** One for all rows that are shown. Beside the table: on a phone its head is out of sight. */
  readonly all: ReactNode;
  readonly clear: () => void;
}

/** @param nameOf what a row is called by its checkbox, for screen readers */
export function useSelection<Row extends { readonly id: string }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const ids = rows.map(({ id }) => id).filter((id) => selected.has(id));
  const isAll = ids.length > 0 && ids.length === rows.length;
  const select = (id: string, isSelected: boolean): void =>
    setSelected(new Set(isSelected ? [...ids, id] : ids.filter((other) => other !== id)));
  return {
    ids,
    clear: () => setSelected(new Set()),
    column: {
      title: 'Selected',
      cell: (row) => (
        <Checkbox
          aria-label={`Select ${nameOf(row)}`}
          checked={selected.has(row.id)}
          onChange={({ currentTarget }) => select(row.id, currentTarget.checked)}
        />
      ),
    },
    all: (
      <Checkbox
        label="Select all that are shown"
        checked={isAll}
        indeterminate={ids.length > 0 && !isAll}
        onChange={() => setSelected(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
    ),
  };
}
