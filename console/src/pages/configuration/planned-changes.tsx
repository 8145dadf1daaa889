import { Code, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Warnings } from '../../shared/segments/warnings';

type Change = Dto['ResourceChangeDto'];

/** What is created, updated and deleted, in the order in which it is done. */
export function PlannedChanges({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  return (
    <List aria-label="Changes">
      {changes.map((change) => (
        <List.Item key={`${change.kind} ${change.name}`}>
          <Text span fw={600}>
            {change.action}
          </Text>{' '}
          {change.kind} “{change.name}”
          <Fields fields={change.fields} />
          <Warnings warnings={change.warnings} />
        </List.Item>
      ))}
    </List>
  );
}

function Fields({ fields }: Pick<Change, 'fields'>): ReactNode {
  if (fields.length === 0) return null;
  return (
    <List withPadding size="sm">
      {fields.map(({ path, before, after }) => (
        <List.Item key={path}>
          {path}: <Code>{JSON.stringify(before)}</Code> becomes <Code>{JSON.stringify(after)}</Code>
        </List.Item>
      ))}
    </List>
  );
}
