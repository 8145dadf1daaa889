import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

const AFTER_TYPING_MS = 300;

/** What would come of what is written. */
export interface Preview<Answer> {
  readonly query: UseQueryResult<Answer>;
  /** Something is missing in what is written. */
  readonly isIncomplete: boolean;
  /** The answer is to what was written before, while this is counted. */
  readonly isOld: boolean;
}

/**
 * Asks what would come of a definition when it has not changed for a moment.
 * @param of whose listing it would be in, as in the address
 * @param ask is given the definition as JSON
 */
export function usePreview<Answer>(
  of: 'segments' | 'computed-traits',
  definition: object | undefined,
  ask: (definition: string, signal: AbortSignal) => Promise<Answer>,
): Preview<Answer> {
  const written = definition && JSON.stringify(definition);
  const [settled] = useDebouncedValue(written, AFTER_TYPING_MS);
  // Known by what was asked: an answer to another definition is never taken for one to this, and its request is given
  // up.
  const query = useQuery({
    queryKey: [of, 'preview', settled],
    queryFn: ({ signal }) => ask(settled ?? '{}', signal),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    query,
    isIncomplete: written === undefined,
    isOld: query.isPlaceholderData || written !== settled,
  };
}
