import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { FieldProblems, useProblemAt } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';
import { howMany } from '../../shared/how-many';
import { PlacesInWords } from '../../shared/place-words';
import { useUnsaved } from '../../shared/unsaved';
import { LABELS, sourcePlaceWords } from './source-place-words';

/** After how many minutes without an event operators are told that a source is silent. */
export function SourceSilence({ source }: { readonly source: Dto['SourceDto'] }): ReactNode {
  const { id, silentAfterMinutes } = source;
  const [typed, setTyped] = useState<string>();
  const minutes = typed ?? String(silentAfterMinutes ?? '');
  useUnsaved(minutes, String(silentAfterMinutes ?? ''));
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
        <PlacesInWords words={sourcePlaceWords}>
          <FieldProblems error={save.error}>
            <MinutesField value={minutes} onChange={(value) => (save.reset(), setTyped(value))} />
          </FieldProblems>
          <FormEnd action="Set the minutes" saving={save} done={save.isSuccess ? 'Saved.' : ''} />
        </PlacesInWords>
      </Stack>
    </form>
  );
}

interface MinutesFieldProps {
  readonly value: string;
  readonly onChange: (minutes: string) => void;
}

function MinutesField({ value, onChange }: MinutesFieldProps): ReactNode {
  return (
    <TextInput
      label={LABELS.silentAfterMinutes}
      description="Destinations with the notice “A source is silent” are told then. Nobody is told when it is empty."
      inputMode="numeric"
      pattern="[1-9][0-9]*"
      value={value}
      error={useProblemAt('silentAfterMinutes')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function wordsOf(minutes: number | null): string {
  return minutes === null
    ? 'Nobody is told when it sends nothing.'
    : `Operators are told when it has sent nothing for ${howMany(minutes, 'minute')}.`;
}
