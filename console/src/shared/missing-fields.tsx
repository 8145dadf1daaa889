import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Which fields keep a form from being complete, by their labels. */
export function MissingFields({ fields }: { readonly fields: readonly string[] }): ReactNode {
  if (fields.length === 0) return null;
  return (
    <div>
      <Text size="sm">Missing, or not right yet:</Text>
      <List size="sm" aria-label="Missing">
        {fields.map((field) => (
          <List.Item key={field}>{field}</List.Item>
        ))}
      </List>
    </div>
  );
}
