import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';
import type { Definition } from './rules/write-rules';

const AFTER_TYPING_MS = 300;

type Body = Dto['PreviewSegmentDto'];

/** Whom the rules are about, as they are written. */
export interface RulesPreview {
  readonly query: UseQueryResult<Dto['SegmentPreviewDto']>;
  /** Something is missing in what is written. */
  readonly isIncomplete: boolean;
  /** The answer is to the rules before, while these are counted. */
  readonly isOld: boolean;
}

/** Asks whom rules are about when they have not changed for a moment. */
export function usePreview(definition: Definition | undefined): RulesPreview {
  const written = definition && JSON.stringify(definition);
  const [settled] = useDebouncedValue(written, AFTER_TYPING_MS);
  // Known by what was asked: an answer to other rules is never taken for one to these, and its request is given up.
  const query = useQuery({
    queryKey: ['segments', 'preview', settled],
    queryFn: ({ signal }) =>
      bodyOf(api.POST('/segments/preview', { body: JSON.parse(settled ?? '{}') as Body, signal })),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    query,
    isIncomplete: written === undefined,
    isOld: query.isPlaceholderData || written !== settled,
  };
}
