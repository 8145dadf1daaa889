import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSegments } from '../../api/all-of';
import { Answered } from '../../shared/answered';
import { Section } from '../../shared/section';
import { To } from '../../shared/to';
import { segmentsThatName } from './segments-that-name';

/** Which segments ask about a computed trait, and what follows from that. */
export function AskingSegments({ name }: { readonly name: string }): ReactNode {
  return (
    <Section title="Segments that ask about it">
      <Answered query={useSegments()}>
        {(segments) => <Asking segments={segmentsThatName(name, segments)} />}
      </Answered>
    </Section>
  );
}

interface AskingProps {
  readonly segments: readonly { readonly id: string; readonly name: string }[];
}

function Asking({ segments }: AskingProps): ReactNode {
  if (segments.length === 0) return <Text size="sm">None: it can be changed and deleted.</Text>;
  return (
    <>
      <Text size="sm">
        While they do, its description alone can be changed, and it cannot be deleted. For another value
        create another computed trait, change the rules, and delete this one.
      </Text>
      <List size="sm" mt="xs">
        {segments.map(({ id, name }) => (
          <List.Item key={id}>
            <To href={`/segments/${id}`}>{name}</To>
          </List.Item>
        ))}
      </List>
    </>
  );
}
