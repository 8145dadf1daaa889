import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Editing, type Edited } from '../../shared/editing';
import { FieldProblems } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';
import { PlacesInWords } from '../../shared/place-words';
import { useUnsaved } from '../../shared/unsaved';
import { sourcePlaceWords } from './source-place-words';
import { bodyOfDraft, draftOf } from './webhook-draft';
import { WebhookFields } from './webhook-fields';

type Source = Dto['HeardSourceDto'];

interface WebhookSettingsProps {
  readonly source: Source;
  readonly refetch: UseQueryResult<Source>['refetch'];
}

/** How the requests of a webhook are signed, and what becomes of them. */
export function WebhookSettings({ source, refetch }: WebhookSettingsProps): ReactNode {
  const { signature } = source;
  if (!useCan('write')) return <Text size="sm">{signature?.scheme ?? 'Its requests are not signed.'}</Text>;
  return (
    <Editing<Dto['SourceDto']> refetch={refetch}>
      {(edited) => <WebhookForm edited={edited} now={source} />}
    </Editing>
  );
}

interface WebhookFormProps {
  readonly edited: Edited<Dto['SourceDto']>;
  readonly now: Source;
}

function WebhookForm({ edited: { read, saved, readAgain }, now }: WebhookFormProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(read));
  useUnsaved(draft, draftOf(read));
  const queries = useQueryClient();
  const params = { path: { id: read.id }, header: { 'If-Match': `"${versionOf(read, now)}"` } };
  const save = useMutation({
    mutationFn: () => bodyOf(api.PUT('/sources/{id}', { params, body: bodyOfDraft(draft) })),
    onSuccess: (source) => {
      saved(source);
      setDraft(draftOf(source));
      void queries.invalidateQueries({ queryKey: ['sources'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <PlacesInWords words={sourcePlaceWords}>
        <Stack maw={640}>
          <FieldProblems error={save.error}>
            <WebhookFields draft={draft} onChange={(changed) => (save.reset(), setDraft(changed))} />
          </FieldProblems>
          <FormEnd action="Save" saving={save} done={save.isSuccess ? 'Saved.' : ''} readAgain={readAgain} />
        </Stack>
      </PlacesInWords>
    </form>
  );
}

/** Other forms of the page make versions, too: one that says the same of requests is as good as what was read. */
function versionOf(read: Dto['SourceDto'], now: Source): number {
  const isSame = JSON.stringify(draftOf(read)) === JSON.stringify(draftOf(now));
  return isSame ? Math.max(read.version, now.version) : read.version;
}
