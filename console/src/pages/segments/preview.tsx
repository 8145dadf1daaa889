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

function Previewed({ preview, isOld }: PreviewedProps): ReactNode {
  const { sample, warnings, estimated } = preview;
  const placeWords = usePlaceWords();
  return (
    <Stack gap="xs">
      <Text aria-live="polite">{isOld ? 'Counting…' : howMany(preview)}</Text>
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
          <Text size="sm">{estimated ? 'Some of them:' : 'The first of them:'}</Text>
          {sample.map((userId) => (
            <PersonLink key={userId} userId={userId} />
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** An estimate says what it is, and how far it may be off. */
function howMany({ count, estimated, low, high }: Dto['SegmentPreviewDto']): string {
  const people = `${count.toLocaleString()} ${count === 1 ? 'person is' : 'people are'} in it`;
  if (!estimated) return `${people}.`;
  return `About ${people}: probably between ${low.toLocaleString()} and ${high.toLocaleString()}.`;
}
