import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import type { Edited } from '../../shared/editing';
import { FormEnd } from '../../shared/form-end';
import { useUnsaved } from '../../shared/unsaved';
import { DestinationForm } from './destination-form';
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
    <DestinationForm
      label="Settings"
      error={save.error}
      onSubmit={submit}
      id={id}
      connector={connector}
      draft={draft}
      onChange={(members) => setDraft({ ...draft, ...members })}
    >
      <FormEnd
        action="Save"
        saving={save}
        done={draft === savedDraft ? 'Saved.' : ''}
        disabled={changes === undefined}
        readAgain={edited.readAgain}
      />
    </DestinationForm>
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
