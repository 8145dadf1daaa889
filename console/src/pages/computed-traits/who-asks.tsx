import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDestinations, useSegments } from '../../api/all-of';
import { Answered } from '../../shared/answered';
import { Section } from '../../shared/section';
import { To } from '../../shared/to';
import { destinationsThatName, segmentsThatName } from './who-names';

/** Which segments and destinations ask about a computed trait, and what follows from that. */
export function WhoAsks({ name }: { readonly name: string }): ReactNode {
  const segments = useSegments();
  const destinations = useDestinations();
  return (
    <Section title="Who asks about it">
      <Answered query={segments}>
        {(allSegments) => (
          <Answered query={destinations}>
            {(allDestinations) => (
              <Asking
                askers={[
                  ...asLinks('Segment', '/segments', segmentsThatName(name, allSegments)),
                  ...asLinks('Destination', '/destinations', destinationsThatName(name, allDestinations)),
                ]}
              />
            )}
          </Answered>
        )}
      </Answered>
    </Section>
  );
}

interface Asker {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function asLinks(kind: string, path: string, all: readonly Named[]): Asker[] {
  return all.map(({ id, name }) => ({ kind, name, href: `${path}/${id}` }));
}

function Asking({ askers }: { readonly askers: readonly Asker[] }): ReactNode {
  if (askers.length === 0) return <Text size="sm">Nobody: it can be changed and deleted.</Text>;
  return (
    <>
      <Text size="sm">
        While they do, its description alone can be changed, and it cannot be deleted. For another value
        create another computed trait, change who asks, and delete this one.
      </Text>
      <List size="sm" mt="xs">
        {askers.map(({ kind, name, href }) => (
          <List.Item key={href}>
            {kind} <To href={href}>{name}</To>
          </List.Item>
        ))}
      </List>
    </>
  );
}
