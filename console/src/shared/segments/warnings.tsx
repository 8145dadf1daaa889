import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Place } from '../place';
import { TextWithCode } from '../text-with-code';

interface WarningsProps {
  readonly warnings: readonly Dto['ProblemDetailDto'][];
}

/** What is valid and probably not meant so. */
export function Warnings({ warnings }: WarningsProps): ReactNode {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" variant="outline" role="note" title="Probably not meant so" my="xs">
      <List size="sm" aria-label="Warnings">
        {warnings.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <Place path={path} /> <TextWithCode text={message} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
