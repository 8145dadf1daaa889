import { Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { MissingFields } from '../../shared/missing-fields';
import { PersonLink } from '../../shared/person-link';
import { usePlaceWords } from '../../shared/place-words';
import type { RulesPreview } from './use-preview';

interface PreviewProps {
  readonly preview: RulesPreview;
  /** The fields that are not complete yet. */
  readonly missing: readonly string[];
}

/** How many people the rules are about. */
export function Preview({ preview, missing }: PreviewProps): ReactNode {
  const { query, isIncomplete, isOld } = preview;
  if (isIncomplete)
    return (
      <Stack gap="xs">
        <Text>Complete the rules to see who is in it.</Text>
        <MissingFields fields={missing} />
      </Stack>
    );
  return (
    <div aria-busy={isOld}>
      <Answered query={query}>{(known) => <Previewed preview={known} isOld={isOld} />}</Answered>
    </div>
  );
}

interface PreviewedProps {
  readonly preview: Dto['SegmentPreviewDto'];
  /** The answer to the rules before, while these are counted. */
  readonly isOld: boolean;
}

function Previewed({ preview: { count, sample, warnings }, isOld }: PreviewedProps): ReactNode {
  const placeWords = usePlaceWords();
  return (
    <Stack gap="xs">
      <Text aria-live="polite">
        {isOld ? 'Counting…' : `${count.toLocaleString()} ${count === 1 ? 'person is' : 'people are'} in it.`}
      </Text>
      {warnings.length > 0 && (
        <List size="sm" aria-label="Warnings">
          {warnings.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {placeWords(path) ?? path}: {message}
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
