import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SearchedList } from '../api/use-list';

/** Says that a search goes on, and ends it where somebody has seen enough of nothing. */
export function LookingFurther({
  isLookingFurther,
  stop,
}: Pick<SearchedList<unknown>, 'isLookingFurther' | 'stop'>): ReactNode {
  return (
    <div aria-live="polite">
      {isLookingFurther && (
        <Group gap="sm">
          <Text>Nothing so far. Looking further…</Text>
          <Button size="compact-sm" variant="default" onClick={stop}>
            Stop
          </Button>
        </Group>
      )}
    </div>
  );
}
