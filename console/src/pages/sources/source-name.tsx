import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { FieldProblems } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';
import { DescriptionField, NameField } from '../../shared/named-fields';
import { useUnsaved } from '../../shared/unsaved';

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
  useUnsaved({ name, description, ...typed }, { name, description });
  const type = (more: typeof typed): void => (save.reset(), setTyped((now) => ({ ...now, ...more })));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Name and description">
      <Stack maw={640}>
        <FieldProblems error={save.error}>
          <NameField value={typed.name ?? name} onChange={(changed) => type({ name: changed })} />
          <DescriptionField
            value={typed.description ?? description}
            onChange={(changed) => type({ description: changed })}
          />
        </FieldProblems>
        <FormEnd action="Set name and description" saving={save} done={save.isSuccess ? 'Saved.' : ''} />
      </Stack>
    </form>
  );
}
