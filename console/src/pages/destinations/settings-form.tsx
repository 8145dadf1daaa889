import { NumberInput, Paper, Stack, TextInput } from '@mantine/core';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import type { Edited } from '../../shared/editing';
import { FormEnd } from '../../shared/form-end';
import { readObject } from '../../shared/read-object';
import { FilterField } from './filter-field';
import { NoticesField } from './notices-field';
import { SchemaForm } from './schema-form';
import { changesOf, draftOf, type SettingsDraft } from './settings-draft';
import { SourcesField } from './sources-field';
import { useRefresh } from './use-destination';

const MAPPING_EXAMPLE = '{"drop": ["context.ip"], "hash": [{"path": "traits.email"}]}';

type Destination = Dto['DestinationDto'];

interface SettingsFormProps {
  readonly edited: Edited<Destination>;
  /** Undefined while it is not installed: the config cannot be changed then. */
  readonly connector: Dto['ConnectorDto'] | undefined;
}

/** Everything that can be changed of a destination. */
export function SettingsForm({ edited, connector }: SettingsFormProps): ReactNode {
  const { id } = edited.read;
  const [draft, setDraft] = useState(() => draftOf(edited.read));
  const [savedDraft, setSavedDraft] = useState<SettingsDraft>();
  const save = useSave(edited);
  const changes = changesOf(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (changes === undefined) return;
    const { config, ...others } = changes;
    save.mutate(connector === undefined ? others : { config, ...others }, {
      onSuccess: () => setSavedDraft(draft),
    });
  };
  return (
    <Paper component="form" withBorder p="md" maw={960} aria-label="Settings" onSubmit={submit}>
      <Stack>
        <Fields
          id={id}
          connector={connector}
          draft={draft}
          onChange={(members) => setDraft({ ...draft, ...members })}
        />
        <FormEnd
          action="Save"
          saving={save}
          done={draft === savedDraft ? 'Saved.' : ''}
          disabled={changes === undefined}
          readAgain={edited.readAgain}
        />
      </Stack>
    </Paper>
  );
}

interface FieldsProps extends Pick<SettingsFormProps, 'connector'> {
  readonly id: string;
  readonly draft: SettingsDraft;
  readonly onChange: (members: Partial<SettingsDraft>) => void;
}

function Fields({ id, connector, draft, onChange }: FieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      {connector !== undefined && (
        <SchemaForm
          schema={connector.configSchema}
          values={draft.config}
          onChange={(config) => onChange({ config })}
        />
      )}
      <SourcesField chosen={draft.sources} onChange={(sources) => onChange({ sources })} />
      <FilterField id={id} text={draft.filter} onChange={(filter) => onChange({ filter })} />
      <CodeTextarea
        label="Mapping as JSON"
        description="pick, drop, hash, rename and constant, in this order; nothing sends events as they came."
        placeholder={MAPPING_EXAMPLE}
        value={draft.mapping}
        onChange={(mapping) => onChange({ mapping })}
        error={readObject(draft.mapping) === 'no_object' && 'This is no JSON object.'}
      />
      <NumberInput
        label="Rate limit"
        description="Requests a second at most, all workers together; no limit when it is empty."
        clampBehavior="none"
        value={draft.perSecond}
        onChange={(perSecond) => onChange({ perSecond })}
      />
      <NoticesField chosen={draft.notices} onChange={(notices) => onChange({ notices })} />
    </>
  );
}

function useSave({
  read: { id },
  ifMatch,
  saved,
}: Edited<Destination>): UseMutationResult<Destination, Error, Dto['UpdateDestinationDto']> {
  const refresh = useRefresh();
  const params = { path: { id }, header: ifMatch };
  return useMutation({
    mutationFn: (body) => bodyOf(api.PUT('/destinations/{id}', { params, body })),
    onSuccess: (destination) => {
      saved(destination);
      refresh();
    },
  });
}
