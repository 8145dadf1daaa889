import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../../api/client';
import { Answered } from '../../answered';
import { MissingFields } from '../../missing-fields';
import { Warnings } from '../warnings';
import type { Preview } from './use-preview';

type Count = Pick<Dto['SegmentPreviewDto'], 'count' | 'estimated' | 'low' | 'high'>;

interface Previewed extends Count {
  readonly warnings: readonly Dto['ProblemDetailDto'][];
}

interface PreviewOfProps<Answer extends Previewed> {
  readonly preview: Preview<Answer>;
  /** Said while something is missing, with the fields that are. */
  readonly incomplete: string;
  readonly missing: readonly string[];
  /** What the count is of: `3 people are in it` */
  readonly countWords: (count: number) => string;
  /** Some of those who were counted. */
  readonly children: (answer: Answer) => ReactNode;
}

/** How many people it is about, some of them, and what is probably not meant so. */
export function PreviewOf<Answer extends Previewed>({
  preview,
  incomplete,
  missing,
  countWords,
  children,
}: PreviewOfProps<Answer>): ReactNode {
  const { query, isIncomplete, isOld } = preview;
  if (isIncomplete)
    return (
      <Stack gap="xs">
        <Text>{incomplete}</Text>
        <MissingFields fields={missing} />
      </Stack>
    );
  return (
    <div aria-busy={isOld}>
      <Answered query={query}>
        {(answer) => (
          <Stack gap="xs">
            <Text aria-live="polite">{isOld ? 'Counting…' : howMany(answer, countWords)}</Text>
            <Warnings warnings={answer.warnings} />
            {children(answer)}
          </Stack>
        )}
      </Answered>
    </div>
  );
}

/** An estimate says what it is, and how far it may be off. */
function howMany({ count, estimated, low, high }: Count, countWords: (count: number) => string): string {
  if (!estimated) return `${countWords(count)}.`;
  return `About ${countWords(count)}: probably between ${low.toLocaleString()} and ${high.toLocaleString()}.`;
}
