import { NativeSelect, Paper, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { FormEnd } from '../../shared/form-end';
import { ButtonTo } from '../../shared/to';
import { type ConfigValues, SchemaForm } from './schema-form';
import { Secrets } from './secrets';
import { SourcesField } from './sources-field';
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
  const [name, setName] = useState('');
  const [type, setType] = useState(
    connectors.find(({ id }) => id === 'webhook')?.id ?? connectors[0]?.id ?? '',
  );
  const [config, setConfig] = useState<ConfigValues>({});
  const [sources, setSources] = useState<readonly string[]>([]);
  const connector = connectors.find(({ id }) => id === type);
  const refresh = useRefresh();
  const create = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/destinations', {
          body: { name, type, config, sources: sources.length === 0 ? null : [...sources] },
        }),
      ),
    onSuccess: (destination) => {
      refresh();
      onCreated(destination);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Paper component="form" withBorder p="md" maw={640} onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Order service"
          required
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Type"
          data={connectors.map(({ id, name: label }) => ({ value: id, label }))}
          value={type}
          onChange={({ currentTarget }) => {
            setType(currentTarget.value);
            setConfig({});
          }}
        />
        {connector !== undefined && (
          <SchemaForm key={type} schema={connector.configSchema} values={config} onChange={setConfig} />
        )}
        <SourcesField chosen={sources} onChange={setSources} />
        <FormEnd action="Create" saving={create} />
      </Stack>
    </Paper>
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
    <Page title={`${name} is there`}>
      {told.length > 0 && <Secrets secrets={Object.fromEntries(told)} />}
      <div>
        <ButtonTo href={`/destinations/${id}`}>Go on to the destination</ButtonTo>
      </div>
    </Page>
  );
}
