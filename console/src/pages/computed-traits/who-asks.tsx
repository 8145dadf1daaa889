import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Answered } from '../../shared/answered';
import { Section } from '../../shared/section';
import { type Dependent, DependentList } from '../../shared/used-by';
import { useAskers } from './use-askers';

/** Which segments and destinations ask about a computed trait, and what follows from that. */
export function WhoAsks({ name }: { readonly name: string }): ReactNode {
  const { segments, destinations, askers } = useAskers(name);
  return (
    <Section title="Who asks about it">
      <Answered query={segments}>
        {() => <Answered query={destinations}>{() => <Asking askers={askers} />}</Answered>}
      </Answered>
    </Section>
  );
}

function Asking({ askers }: { readonly askers: readonly Dependent[] }): ReactNode {
  if (askers.length === 0) return <Text size="sm">Nobody: it can be changed and deleted.</Text>;
  return (
    <>
      <Text size="sm">
        While they do, its description alone can be changed, and it cannot be deleted. For another value
        create another computed trait, change who asks, and delete this one.
      </Text>
      <DependentList dependents={askers} />
    </>
  );
}
