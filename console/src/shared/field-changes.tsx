import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { howMany } from './how-many';
import type { JsonDifference } from './json-differences';
import { LineDifferences } from './line-differences';
import { ShortValue } from './short-value';

/** More of them are seen in the documents. */
const MAX_SHOWN = 100;

/** Members that became others, one below the other. */
export function FieldChanges({ changes }: { readonly changes: readonly JsonDifference[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <>
      <List size="sm" withPadding aria-label="Differences" styles={{ itemWrapper: { display: 'inline' } }}>
        {changes.slice(0, MAX_SHOWN).map(({ path, before, after }) => (
          <List.Item key={path} style={{ overflowWrap: 'anywhere' }}>
            {path}: <Change before={before} after={after} />
          </List.Item>
        ))}
      </List>
      {changes.length > MAX_SHOWN && (
        <Text size="sm">And {howMany(changes.length - MAX_SHOWN, 'more difference')}.</Text>
      )}
    </>
  );
}

function Change({ before, after }: Omit<JsonDifference, 'path'>): ReactNode {
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return <LineDifferences before={before} after={after} />;
  return (
    <>
      <ShortValue value={before} /> becomes <ShortValue value={after} />
    </>
  );
}
