import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { howMany } from '../../shared/how-many';
import { PersonLink } from '../../shared/person-link';
import { PreviewOf } from '../../shared/segments/preview/preview';
import { type Preview, usePreview } from '../../shared/segments/preview/use-preview';
import type { Definition } from './rules/write-rules';

type Answer = Dto['SegmentPreviewDto'];
type Body = Dto['PreviewSegmentDto'];

/** Asks whom rules are about. */
export function useRulesPreview(definition: Definition | undefined): Preview<Answer> {
  return usePreview('segments', definition, (written, signal) =>
    bodyOf(api.POST('/segments/preview', { body: JSON.parse(written) as Body, signal })),
  );
}

interface RulesPreviewProps {
  readonly preview: Preview<Answer>;
  /** The fields that are not complete yet. */
  readonly missing: readonly string[];
}

/** How many people the rules are about, and some of them. */
export function RulesPreview({ preview, missing }: RulesPreviewProps): ReactNode {
  return (
    <PreviewOf
      preview={preview}
      incomplete="Complete the rules to see who is in it."
      missing={missing}
      countWords={(count) => `${howMany(count, 'person is', 'people are')} in it`}
    >
      {({ sample, estimated }) =>
        sample.length > 0 && (
          <Group gap="xs">
            <Text size="sm">{estimated ? 'Some of them:' : 'The first of them:'}</Text>
            {sample.map((userId) => (
              <PersonLink key={userId} userId={userId} />
            ))}
          </Group>
        )
      }
    </PreviewOf>
  );
}
