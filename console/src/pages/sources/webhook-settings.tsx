import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { FormEnd } from '../../shared/form-end';
import { bodyOfDraft, draftOf } from './webhook-draft';
import { WebhookFields } from './webhook-fields';

/** How the requests of a webhook are signed, and what becomes of them. */
export function WebhookSettings({ source }: { readonly source: Dto['SourceDto'] }): ReactNode {
  const { id, signature } = source;
  const [draft, setDraft] = useState(() => draftOf(source));
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      bodyOf(api.PUT('/sources/{id}', { params: { path: { id } }, body: bodyOfDraft(draft) })),
    onSuccess: (saved) => {
      setDraft(draftOf(saved));
      void queries.invalidateQueries({ queryKey: ['sources'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  if (!useCan('write')) return <Text size="sm">{signature?.scheme ?? 'Its requests are not signed.'}</Text>;
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <WebhookFields draft={draft} onChange={(changed) => (save.reset(), setDraft(changed))} />
        <FormEnd action="Save" saving={save} done={save.isSuccess ? 'Saved.' : ''} />
      </Stack>
    </form>
  );
}
