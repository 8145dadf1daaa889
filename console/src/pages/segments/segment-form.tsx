import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Dto } from '../../api/client';
import { FormEnd } from '../../shared/form-end';
import { Section } from '../../shared/section';
import { Preview } from './preview';
import { definitionOf, draftOf, RulesEditor } from './rules/rules-editor';
import type { Definition } from './rules/write-rules';

/** What an operator says of a segment. */
export type SegmentBody = Dto['CreateSegmentDto'];

interface SegmentFormProps {
  /** The segment that is changed; a new one without it. */
  readonly segment?: Dto['SegmentDto'];
  readonly action: string;
  readonly save: (body: SegmentBody) => Promise<Dto['SegmentDto']>;
  /** Fills the form with what the segment is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<void>;
}

/** Name and rules of a segment, with a count that follows the rules. */
export function SegmentForm({ segment, action, save, readAgain }: SegmentFormProps): ReactNode {
  const [name, setName] = useState(segment?.name ?? '');
  const [description, setDescription] = useState(segment?.description ?? '');
  const [announceFirst, setAnnounceFirst] = useState(segment?.announceFirst ?? false);
  const [draft, setDraft] = useState(() => draftOf(segment as Definition | undefined));
  const definition = definitionOf(draft);
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['segments'] });
      goTo(`/segments/${id}`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (definition === undefined) return;
    saving.mutate({ name, description, announceFirst, ...definition } as SegmentBody);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Regular customers"
          required
          maxLength={200}
          maw={640}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Textarea
          label="Description"
          maxLength={2000}
          maw={640}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Section title="Rules">
          <RulesEditor draft={draft} onChange={setDraft} />
        </Section>
        <Section title="Who would be in it">
          <Preview definition={definition} />
        </Section>
        <Checkbox
          label="Those who are in it from the start count as having entered, and destinations are told"
          checked={announceFirst}
          onChange={({ currentTarget }) => setAnnounceFirst(currentTarget.checked)}
        />
        <FormEnd action={action} saving={saving} disabled={definition === undefined} readAgain={readAgain} />
      </Stack>
    </form>
  );
}
