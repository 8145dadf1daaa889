import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { FieldChanges } from '../../shared/field-changes';
import { type JsonDifference, jsonDifferences } from '../../shared/json-differences';
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
          <FieldChanges changes={changesIn(change)} />
          <Warnings warnings={change.warnings} />
        </List.Item>
      ))}
    </List>
  );
}

/** What stands in lists, one by one; a secret that is another is masked as the one before. */
function changesIn({ fields }: Change): JsonDifference[] {
  return fields.flatMap(({ path, before, after }) => {
    const inside = jsonDifferences(before, after, path);
    return inside.length > 0 ? inside : [{ path, before, after }];
  });
}
