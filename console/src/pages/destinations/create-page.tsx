import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSources, useTransformations } from '../../api/all-of';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { FormEnd } from '../../shared/form-end';
import { ButtonTo } from '../../shared/to';
import { useUnsaved } from '../../shared/unsaved';
import { DestinationForm } from './destination-form';
import { LABELS } from './field-labels';
import { Secrets } from './secrets';
import { changesOf, NEW_DRAFT } from './settings-draft';
import { useConnectors, useRefresh } from './use-destination';

type Connector = Dto['ConnectorDto'];

/** Creates a destination: the connector first, then the fields that it asks for. */
export function CreatePage(): ReactNode {
  const connectors = useConnectors();
  const [created, setCreated] = useState<Dto['DestinationDto']>();
  if (created !== undefined) {
    const connector = connectors.data?.find(({ id }) => id === created.type);
    return <Created destination={created} connector={connector} />;
  }
  return (
    <Page title="Create a destination">
      <ForWriters>
        <Answered query={connectors}>
          {(installed) => <CreateForm connectors={installed} onCreated={setCreated} />}
        </Answered>
      </ForWriters>
    </Page>
  );
}

interface CreateFormProps {
  readonly connectors: readonly Connector[];
  readonly onCreated: (destination: Dto['DestinationDto']) => void;
}

function CreateForm({ connectors, onCreated }: CreateFormProps): ReactNode {
  const [type, setType] = useState(
    connectors.find(({ id }) => id === 'webhook')?.id ?? connectors[0]?.id ?? '',
  );
  const connector = connectors.find(({ id }) => id === type);
  const [draft, setDraft] = useState(NEW_DRAFT);
  const members = changesOf(draft);
  useUnsaved(members ?? draft);
  // Whoever could choose none of them would get the events of all sources, and as they came.
  const choices = [useSources().data, useTransformations().data];
  const refresh = useRefresh();
  const create = useMutation({
    mutationFn: (body: Dto['CreateDestinationDto']) => bodyOf(api.POST('/destinations', { body })),
    onSuccess: (destination) => {
      refresh();
      onCreated(destination);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (members !== undefined) create.mutate({ type, ...members });
  };
  return (
    <DestinationForm
      label="Create a destination"
      error={create.error}
      onSubmit={submit}
      connector={connector}
      draft={draft}
      onChange={(changes) => setDraft({ ...draft, ...changes })}
      first={
        <NativeSelect
          label={LABELS.type}
          data={connectors.map(({ id, name }) => ({ value: id, label: name }))}
          value={type}
          onChange={({ currentTarget }) => {
            setType(currentTarget.value);
            setDraft({ ...draft, config: {} });
          }}
        />
      }
    >
      <FormEnd
        action="Create"
        saving={create}
        disabled={members === undefined || choices.includes(undefined)}
      />
    </DestinationForm>
  );
}

interface CreatedProps {
  readonly destination: Dto['DestinationDto'];
  readonly connector: Connector | undefined;
}

/** The secrets that the service made are told this once. */
function Created({ destination, connector }: CreatedProps): ReactNode {
  const { id, name, config } = destination;
  const told = (connector?.secretFields ?? []).flatMap((member) => {
    const secret = config[member];
    return typeof secret === 'string' && !secret.startsWith('****') ? [[member, secret] as const] : [];
  });
  return (
    <Page title={`Created: ${name}`}>
      {told.length > 0 && <Secrets secrets={Object.fromEntries(told)} />}
      <div>
        <ButtonTo href={`/destinations/${id}`}>Go on to the destination</ButtonTo>
      </div>
    </Page>
  );
}
