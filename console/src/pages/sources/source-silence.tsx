import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { FormEnd } from '../../shared/form-end';

/** After how many minutes without an event operators are told that a source is silent. */
export function SourceSilence({ source }: { readonly source: Dto['SourceDto'] }): ReactNode {
  const { id, silentAfterMinutes } = source;
  const [typed, setTyped] = useState<string>();
  const minutes = typed ?? String(silentAfterMinutes ?? '');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const body = { silentAfterMinutes: minutes === '' ? null : Number(minutes) };
      return bodyOf(api.PUT('/sources/{id}', { params: { path: { id } }, body }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sources'] });
      setTyped((now) => (now === minutes ? undefined : now));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  if (!useCan('write')) return <Text size="sm">{wordsOf(silentAfterMinutes)}</Text>;
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <TextInput
          label="Minutes without an event"
          description="Destinations with the notice “A source is silent” are told then. Nobody is told when it is empty."
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          value={minutes}
          onChange={({ currentTarget: { value } }) => (save.reset(), setTyped(value))}
        />
        <FormEnd action="Set the minutes" saving={save} done={save.isSuccess ? 'Saved.' : ''} />
      </Stack>
    </form>
  );
}

function wordsOf(minutes: number | null): string {
  return minutes === null
    ? 'Nobody is told when it sends nothing.'
    : `Operators are told when it has sent nothing for ${minutes} minutes.`;
}
