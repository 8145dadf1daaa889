import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** Of what people write, such as names: one long word breaks anywhere, and the table stays as wide as the page. */
  readonly breaks?: true;
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

/**
 * Rows in columns; on a phone each row is a card. The roles are those that the elements have anyway: browsers forget some
 * of them where the style makes blocks of the elements.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, empty }: DataTableProps<Row>): ReactNode {
  if (rows.length === 0) return <Text component="div">{empty}</Text>;
  return (
    <Table.ScrollContainer minWidth={0} w="100%" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table
        role="table"
        aria-label={label}
        striped
        highlightOnHover
        verticalSpacing="xs"
        className={classes.table}
      >
        <Table.Thead role="rowgroup" className={classes.head}>
          <Table.Tr role="row">
            {columns.map(({ title, align }) => (
              <Table.Th key={title} role="columnheader" data-align={align}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" className={classes.body}>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)} role="row" className={classes.row}>
              {columns.map(({ title, align, breaks, cell }) => (
                <Table.Td
                  key={title}
                  role="cell"
                  className={classes.cell}
                  data-label={title}
                  data-align={align}
                  data-breaks={breaks}
                >
                  <div className={classes.value}>{cell(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
