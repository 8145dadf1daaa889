import { Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { FieldProblems, useProblemAt } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';

/** What people know a source by. */
export function SourceName({ source }: { readonly source: Dto['SourceDto'] }): ReactNode {
  const { id, name, description } = source;
  const [typed, setTyped] = useState<Partial<Dto['UpdateSourceDto']>>({});
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => bodyOf(api.PUT('/sources/{id}', { params: { path: { id } }, body: typed })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sources'] });
      setTyped((now) => (now === typed ? {} : now));
    },
  });
  const type = (more: typeof typed): void => (save.reset(), setTyped((now) => ({ ...now, ...more })));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Name and description">
      <Stack maw={640}>
        <FieldProblems error={save.error}>
          <NameField name={typed.name ?? name} onChange={(changed) => type({ name: changed })} />
          <Textarea
            label="Description"
            maxLength={2000}
            value={typed.description ?? description}
            onChange={({ currentTarget }) => type({ description: currentTarget.value })}
          />
        </FieldProblems>
        <FormEnd action="Set name and description" saving={save} done={save.isSuccess ? 'Saved.' : ''} />
      </Stack>
    </form>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
}

function NameField({ name, onChange }: NameFieldProps): ReactNode {
  return (
    <TextInput
      label="Name"
      required
      maxLength={200}
      value={name}
      error={useProblemAt('name')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
