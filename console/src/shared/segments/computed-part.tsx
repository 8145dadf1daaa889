import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** How much of a computation is done; `progress` is 0 to 1. */
export function ComputedPart({ progress }: { readonly progress: number }): ReactNode {
  return (
    <>
      <Progress.Root w={120}>
        <Progress.Section aria-label="Computed" value={progress * 100} />
      </Progress.Root>
      <Text size="sm">{Math.floor(progress * 100)} %</Text>
    </>
  );
}
