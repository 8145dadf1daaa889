import { List } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { usePlaceWords } from '../place-words';

interface WarningsProps {
  readonly warnings: readonly Dto['ProblemDetailDto'][];
}

/** What is valid and probably not meant so. */
export function Warnings({ warnings }: WarningsProps): ReactNode {
  const placeWords = usePlaceWords();
  if (warnings.length === 0) return null;
  return (
    <List size="sm" aria-label="Warnings">
      {warnings.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          {placeWords(path) ?? path}: {message}
        </List.Item>
      ))}
    </List>
  );
}
