import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDestinations, useSources } from '../../api/all-of';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { ConfirmButton } from '../../shared/confirm-button';
import { TextBlock } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { ButtonTo } from '../../shared/to';
import { useDeleted } from '../../shared/use-deleted';
import { UsedBy, dependentsOf } from '../../shared/used-by';
import { TransformationFrame } from './transformation-frame';
import { TrialFields } from './trial-fields';
import { useTrial } from './use-trial';

type Transformation = Dto['TransformationDto'];

/** One transformation: its code, and what it makes of events. */
export function TransformationPage(): ReactNode {
  const mayWrite = useCan('write');
  const trial = useTrial();
  return (
    <TransformationFrame
      actions={(transformation) => mayWrite && <Actions transformation={transformation} />}
    >
      {({ id, description, version, updatedAt, code }) => (
        <>
          {description !== '' && <Text>{description}</Text>}
          <Text size="sm" component="div">
            Version {version}, changed <Time at={updatedAt} />.
          </Text>
          <Section title="Code">
            <TextBlock name="the code" text={code} />
          </Section>
          <Dependents id={id} />
          <Section title="What it makes of the newest events">
            <TrialFields code={code} trial={trial} />
          </Section>
        </>
      )}
    </TransformationFrame>
  );
}

/** Whose events it changes, and of whose requests it makes them. */
function Dependents({ id }: { readonly id: string }): ReactNode {
  const [sources, destinations] = [useSources(), useDestinations()];
  const has = ({ transformationId }: { readonly transformationId: string | null }): boolean =>
    transformationId === id;
  const dependents = [
    ...dependentsOf('Source', (sources.data ?? []).filter(has)),
    ...dependentsOf('Destination', (destinations.data ?? []).filter(has)),
  ];
  return <UsedBy queries={[sources, destinations]} dependents={dependents} />;
}

function Actions({ transformation: { id, name } }: { readonly transformation: Transformation }): ReactNode {
  const forget = useDeleted('transformations');
  return (
    <>
      <ButtonTo href={`/transformations/${id}/edit`}>Edit</ButtonTo>
      <ConfirmButton
        label="Delete"
        consequence={`“${name}” is deleted with its versions. One that a destination or a source has cannot be deleted.`}
        action={() => bodyOf(api.DELETE('/transformations/{id}', { params: { path: { id } } }))}
        onDone={() => forget(id)}
      />
    </>
  );
}
