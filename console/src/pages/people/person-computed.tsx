import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { type Column, DataTable } from '../../shared/data-table';

interface PersonComputedProps {
  readonly computed: Dto['ProfileDto']['computed'];
}

/** The computed traits that have a value for the person. */
export function PersonComputed({ computed }: PersonComputedProps): ReactNode {
  return (
    <DataTable
      label="Computed traits"
      columns={COLUMNS}
      rows={Object.entries(computed)}
      rowKey={([name]) => name}
      empty="No computed trait has a value."
    />
  );
}

const COLUMNS: readonly Column<[name: string, value: unknown]>[] = [
  { title: 'Computed trait', cell: ([name]) => name },
  {
    title: 'Value, counted now',
    cell: ([, value]) => <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)}</Code>,
  },
];
