import { Code, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { type Column, DataTable } from '../../shared/data-table';
import { Disclosure } from '../../shared/disclosure';
import { JsonView } from '../../shared/json-view';

type Tried = Dto['TriedEventDto'];
type Made = Tried['after'][number];
type Change = Made['changes'][number];

/** More of them are in the JSON. */
const MAX_SHOWN = 10;
const MAX_CHARACTERS = 200;

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
      <Disclosure summary="Before and after, as JSON">
        <SimpleGrid cols={{ base: 1, md: after.length === 0 ? 1 : 2 }}>
          <JsonView name="before" value={before} />
          {after.length > 0 && <JsonView name="after" value={afterOf(after)} />}
        </SimpleGrid>
      </Disclosure>
    </>
  );
}

function afterOf(after: readonly Made[]): unknown {
  const events = after.map(({ event }) => event);
  return events.length === 1 ? events[0] : events;
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
        <Text size="sm">And {(changes.length - MAX_SHOWN).toLocaleString()} more differences.</Text>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'Member', cell: ({ path }) => <Code>{path}</Code> },
  { title: 'Before', cell: ({ kind, before }) => (kind === 'added' ? 'nothing' : <Value value={before} />) },
  { title: 'After', cell: ({ kind, after }) => (kind === 'removed' ? 'nothing' : <Value value={after} />) },
];

function Value({ value }: { readonly value: unknown }): ReactNode {
  const text = JSON.stringify(value) ?? '';
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{shown}</Code>;
}
