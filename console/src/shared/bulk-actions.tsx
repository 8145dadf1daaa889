import { Fieldset, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface BulkActionsProps {
  /** As the filters above the list say. */
  readonly isUnsearched: boolean;
  readonly children: ReactNode;
}

/** What can be done to all that a list shows, but not while its filters say something that nobody has searched for. */
export function BulkActions({ isUnsearched, children }: BulkActionsProps): ReactNode {
  return (
    <>
      <Fieldset variant="unstyled" aria-label="Actions" disabled={isUnsearched}>
        {children}
      </Fieldset>
      {isUnsearched && (
        <Text size="sm" role="status">
          The filters were changed, and the list is still that of the last search. Search, or clear them,
          first.
        </Text>
      )}
    </>
  );
}
