import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
}

export interface DataTableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** What to say, and perhaps to do, when there is no row. */
  readonly empty: ReactNode;
}

/** Rows in columns. On a narrow screen it scrolls by itself, not the page. */
export function DataTable<Row>({ label, columns, rows, rowKey, empty }: DataTableProps<Row>): ReactNode {
  if (rows.length === 0) return <Text component="div">{empty}</Text>;
  return (
    <Table.ScrollContainer minWidth={480} w="100%" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} striped highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, align }) => (
              <Table.Th key={title} ta={align}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ title, align, cell }) => (
                <Table.Td key={title} ta={align}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
