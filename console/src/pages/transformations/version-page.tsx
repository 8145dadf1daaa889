import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { Editing } from '../../shared/editing';
import { TextBlock } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { LineDifferences } from '../../shared/line-differences';
import { RestoreVersion } from './restore-version';
import { TransformationFrame } from './transformation-frame';
import { useTransformation, useVersion } from './use-transformation';

/** A transformation as it was in a version. */
export function VersionPage(): ReactNode {
  const { version = '' } = useParams();
  return (
    <TransformationFrame part={`version ${version}`}>
      {(transformation) => <Found transformation={transformation} version={version} />}
    </TransformationFrame>
  );
}

interface FoundProps {
  readonly transformation: Dto['TransformationDto'];
  readonly version: string;
}

function Found({ transformation, version: number }: FoundProps): ReactNode {
  const mayWrite = useCan('write');
  const { refetch } = useTransformation(transformation.id);
  return (
    <Answered query={useVersion(transformation.id, number)}>
      {(version) => (
        <>
          <Group justify="space-between">
            <Text size="sm" component="div">
              {version.version === transformation.version ? 'In force since' : 'It was in force from'}{' '}
              <Time at={version.createdAt} />
              {version.version === transformation.version ? '.' : ' on.'}
            </Text>
            {mayWrite && version.version !== transformation.version && (
              <Editing refetch={refetch}>
                {(edited) => <RestoreVersion edited={edited} version={version} />}
              </Editing>
            )}
          </Group>
          {version.version !== transformation.version && (
            <Section title="What has changed since">
              <LineDifferences before={version.code} after={transformation.code} />
            </Section>
          )}
          <Section title="Code">
            <TextBlock name="the code" text={version.code} />
          </Section>
        </>
      )}
    </Answered>
  );
}
