import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FieldProblems } from './field-problems';
import { FormEnd } from './form-end';
import { DescriptionField, NameField } from './named-fields';
import { useGoOn, useUnsaved } from './unsaved';

/** What all that operators define has. */
interface Named {
  readonly name: string;
  readonly description: string;
}

interface NamedFormProps {
  /** What is defined, as the address of its listing. */
  readonly kind: 'computed-traits' | 'segments' | 'tracking-plans' | 'transformations';
  /** What is changed; a new one without it. */
  readonly thing?: Named;
  readonly placeholder: string;
  /** What a name has to be like, where it may not be any. */
  readonly nameDescription?: string;
  readonly action: string;
  /** The rest of what is written, as JSON. */
  readonly written: unknown;
  /** Undefined as long as it is not complete. */
  readonly save: ((named: Named) => Promise<{ readonly id: string }>) | undefined;
  /** Fills the form with what it is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
  /** The fields for the rest. */
  readonly children: ReactNode;
}

/** A form for what has a name, a description and rules; from it one comes to what was saved. */
export function NamedForm({
  kind,
  thing,
  placeholder,
  nameDescription,
  action,
  written,
  save,
  readAgain,
  children,
}: NamedFormProps): ReactNode {
  const [name, setName] = useState(thing?.name ?? '');
  const [description, setDescription] = useState(thing?.description ?? '');
  const queries = useQueryClient();
  const goOn = useGoOn();
  useUnsaved({ name, description, written });
  const saving = useMutation({
    mutationFn: (send: NonNullable<typeof save>) => send({ name, description }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [kind] });
      goOn(`/${kind}/${id}`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save !== undefined) saving.mutate(save);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FieldProblems error={saving.error}>
          <NameField
            placeholder={placeholder}
            description={nameDescription}
            maw={640}
            value={name}
            onChange={setName}
          />
          <DescriptionField maw={640} value={description} onChange={setDescription} />
          {children}
        </FieldProblems>
        <FormEnd action={action} saving={saving} disabled={save === undefined} readAgain={readAgain} />
      </Stack>
    </form>
  );
}
