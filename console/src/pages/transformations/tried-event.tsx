import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { BeforeAndAfter } from '../../shared/before-and-after';
import { type Column, DataTable } from '../../shared/data-table';
import { howMany } from '../../shared/how-many';
import { ShortValue } from '../../shared/short-value';

type Tried = Dto['TriedEventDto'];
type Made = Tried['after'][number];
type Change = Made['changes'][number];

/** More of them are in the JSON. */
const MAX_SHOWN = 10;

/** In what an event would be another, or why there is none. */
export function TriedEvent({ tried }: { readonly tried: Tried }): ReactNode {
  const { before, after, error } = tried;
  return (
    <>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {error.line !== undefined && `Line ${error.line}: `}
          {error.message}
        </Text>
      )}
      {after.map((made, index) => (
        <Stack key={index} gap="xs">
          {after.length > 1 && (
            <Text size="sm" fw={600}>
              Event {index + 1} of {after.length}
            </Text>
          )}
          <Changes changes={made.changes} />
        </Stack>
      ))}
      <BeforeAndAfter before={before} after={afterOf(after)} />
    </>
  );
}

function afterOf(after: readonly Made[]): unknown {
  const events = after.map(({ event }) => event);
  return events.length > 1 ? events : events[0];
}

function Changes({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <>
      <DataTable
        label="Differences"
        columns={COLUMNS}
        rows={changes.slice(0, MAX_SHOWN)}
        rowKey={({ path }) => path}
        empty=""
      />
      {changes.length > MAX_SHOWN && (
        <Text size="sm">And {howMany(changes.length - MAX_SHOWN, 'more difference')}.</Text>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'Member', cell: ({ path }) => <Code>{path}</Code> },
  { title: 'Before', cell: ({ before }) => <ShortValue value={before} /> },
  { title: 'After', cell: ({ after }) => <ShortValue value={after} /> },
];
