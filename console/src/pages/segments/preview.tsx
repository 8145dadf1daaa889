import { Group, List, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { PersonLink } from '../../shared/person-link';
import type { Definition } from './rules/write-rules';

const AFTER_TYPING_MS = 300;

type Body = Dto['PreviewSegmentDto'];

/** How many people the rules are about, as they are written. */
export function Preview({ definition }: { readonly definition: Definition | undefined }): ReactNode {
  const written = definition && JSON.stringify(definition);
  const [settled] = useDebouncedValue(written, AFTER_TYPING_MS);
  // Known by what was asked: an answer to other rules is never taken for one to these, and its request is given up.
  const preview = useQuery({
    queryKey: ['segments', 'preview', settled],
    queryFn: ({ signal }) =>
      bodyOf(api.POST('/segments/preview', { body: JSON.parse(settled ?? '{}') as Body, signal })),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  });
  if (written === undefined) return <Text>Complete the rules to see who is in it.</Text>;
  const isOld = preview.isPlaceholderData || written !== settled;
  return (
    <div aria-busy={isOld}>
      <Answered query={preview}>{(known) => <Previewed preview={known} isOld={isOld} />}</Answered>
    </div>
  );
}

interface PreviewedProps {
  readonly preview: Dto['SegmentPreviewDto'];
  /** The answer to the rules before, while these are counted. */
  readonly isOld: boolean;
}

function Previewed({ preview: { count, sample, warnings }, isOld }: PreviewedProps): ReactNode {
  return (
    <Stack gap="xs">
      <Text aria-live="polite">
        {isOld ? 'Counting…' : `${count.toLocaleString()} ${count === 1 ? 'person is' : 'people are'} in it.`}
      </Text>
      {warnings.length > 0 && (
        <List size="sm" aria-label="Warnings">
          {warnings.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {path}: {message}
            </List.Item>
          ))}
        </List>
      )}
      {sample.length > 0 && (
        <Group gap="xs">
          <Text size="sm">The first of them:</Text>
          {sample.map((userId) => (
            <PersonLink key={userId} userId={userId} />
          ))}
        </Group>
      )}
    </Stack>
  );
}
