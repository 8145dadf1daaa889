import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { howMany } from '../../shared/how-many';
import { PersonLink } from '../../shared/person-link';
import type { Measure } from '../../shared/segments/events/measure-draft';
import { PreviewOf } from '../../shared/segments/preview/preview';
import { type Preview, usePreview } from '../../shared/segments/preview/use-preview';

type Answer = Dto['ComputedTraitPreviewDto'];
type Body = Dto['PreviewComputedTraitDto'];

/** Asks who would have a value. */
export function useValuesPreview(measure: Measure | undefined): Preview<Answer> {
  return usePreview('computed-traits', measure, (written, signal) =>
    bodyOf(api.POST('/computed-traits/preview', { body: JSON.parse(written) as Body, signal })),
  );
}

interface ValuesPreviewProps {
  readonly preview: Preview<Answer>;
  /** The fields that are not complete yet. */
  readonly missing: readonly string[];
}

/** How many people would have a value, and what it is for some of them. */
export function ValuesPreview({ preview, missing }: ValuesPreviewProps): ReactNode {
  return (
    <PreviewOf
      preview={preview}
      incomplete="Complete what is counted to see who would have a value."
      missing={missing}
      countWords={(count) => `${howMany(count, 'person', 'people')} would have a value`}
    >
      {({ sample }) =>
        sample.map(({ userId, value }) => (
          <Group key={userId} gap="xs">
            <PersonLink userId={userId} />
            <Text component="div" size="sm">
              <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)}</Code>
            </Text>
          </Group>
        ))
      }
    </PreviewOf>
  );
}
