import { Paper, Stack } from '@mantine/core';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import type { Edited } from '../../shared/editing';
import { FieldProblems } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';
import { PlacesInWords } from '../../shared/place-words';
import { useUnsaved } from '../../shared/unsaved';
import { DestinationFields } from './destination-fields';
import { destinationPlaceWords } from './field-labels';
import { changesOf, draftOf, type SettingsDraft } from './settings-draft';
import { useRefresh } from './use-destination';

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
  useUnsaved(changes ?? draft, savedDraft && changesOf(savedDraft));
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
      <PlacesInWords words={(path) => destinationPlaceWords(path, connector?.configSchema ?? {})}>
        <Stack>
          <FieldProblems error={save.error}>
            <DestinationFields
              id={id}
              connector={connector}
              draft={draft}
              onChange={(members) => setDraft({ ...draft, ...members })}
            />
          </FieldProblems>
          <FormEnd
            action="Save"
            saving={save}
            done={draft === savedDraft ? 'Saved.' : ''}
            disabled={changes === undefined}
            readAgain={edited.readAgain}
          />
        </Stack>
      </PlacesInWords>
    </Paper>
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
