import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { AnsweredPage } from '../../shared/answered-page';
import { ConfirmButton } from '../../shared/confirm-button';
import { Disclosure } from '../../shared/disclosure';
import { JsonView } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { subjectWords } from '../../shared/segments/rule-words';
import { Time } from '../../shared/time';
import { ButtonTo } from '../../shared/to';
import { useDeleted } from '../../shared/use-deleted';
import { type Dependent, DependentList } from '../../shared/used-by';
import { useAskers } from './use-askers';
import { useComputedTrait } from './use-computed-trait';
import { ValueOfPerson } from './value-of-person';
import { ValueState } from './value-state';
import { WhoAsks } from './who-asks';

type Trait = Dto['ComputedTraitDto'];

/** One computed trait: what it is, who asks about it, and what it is of somebody. */
export function ComputedTraitPage(): ReactNode {
  const { id = '' } = useParams();
  const mayWrite = useCan('write');
  return (
    <AnsweredPage
      query={useComputedTrait(id)}
      fallbackTitle="Computed trait"
      title={({ name }) => name}
      actions={(trait) => mayWrite && <Actions trait={trait} />}
    >
      {(trait) => <FoundTrait trait={trait} />}
    </AnsweredPage>
  );
}

function FoundTrait({ trait }: { readonly trait: Trait }): ReactNode {
  const { name, description, createdAt, updatedAt } = trait;
  const { event, type, where, aggregate, of, within, from, to } = trait;
  return (
    <>
      <ValueState trait={trait} />
      {description !== '' && <Text>{description}</Text>}
      <Text size="sm" component="div">
        Created <Time at={createdAt} />, changed <Time at={updatedAt} />.
      </Text>
      <Section title="What is counted">
        <Text size="sm">{subjectWords(trait)}.</Text>
        <Disclosure summary="As JSON">
          <JsonView name="what is counted" value={{ event, type, where, aggregate, of, within, from, to }} />
        </Disclosure>
      </Section>
      <Section title="What is it of somebody?">
        <ValueOfPerson name={name} />
      </Section>
      <WhoAsks name={name} />
    </>
  );
}

function Actions({ trait: { id, name } }: { readonly trait: Trait }): ReactNode {
  const forget = useDeleted('computed-traits');
  const { askers } = useAskers(name);
  const isAskedAbout = askers.length > 0;
  return (
    <>
      <ButtonTo href={`/computed-traits/${id}/edit`}>Edit</ButtonTo>
      <ConfirmButton
        label="Delete"
        refused={isAskedAbout}
        consequence={isAskedAbout ? <StaysFor name={name} askers={askers} /> : consequenceFor(name)}
        action={() => bodyOf(api.DELETE('/computed-traits/{id}', { params: { path: { id } } }))}
        onDone={() => forget(id)}
      />
    </>
  );
}

function consequenceFor(name: string): string {
  return `“${name}” will be deleted: profiles will not show it any more, and no segment or destination can ask about it.`;
}

interface StaysForProps {
  readonly name: string;
  readonly askers: readonly Dependent[];
}

function StaysFor({ name, askers }: StaysForProps): ReactNode {
  return (
    <>
      “{name}” cannot be deleted while it is asked about. Change these first:
      <DependentList dependents={askers} />
    </>
  );
}
