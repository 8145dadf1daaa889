import { Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import { FormEnd } from '../../shared/form-end';
import { objectText, readObject } from '../../shared/read-object';
import { contentOf } from './plan-content';

type Plan = Dto['TrackingPlanDto'];
type PlanBody = Dto['CreateTrackingPlanDto'];

interface PlanFormProps {
  /** The plan that is changed; a new one without it. */
  readonly plan?: Plan;
  readonly action: string;
  readonly save: (body: PlanBody) => Promise<Plan>;
  /** Fills the form with what the plan is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<void>;
}

/** Name and rules of a tracking plan. What is wrong with the rules, the service says. */
export function PlanForm({ plan, action, save, readAgain }: PlanFormProps): ReactNode {
  const [name, setName] = useState(plan?.name ?? '');
  const [description, setDescription] = useState(plan?.description ?? '');
  const [text, setText] = useState(() => objectText(contentOf(plan)));
  const content = readObject(text);
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['tracking-plans'] });
      goTo(`/tracking-plans/${id}`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (content !== 'no_object') saving.mutate({ ...content, name, description } as PlanBody);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Shop"
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
        <CodeTextarea
          label="Rules as JSON"
          description="unplannedEvents, unplannedProperties and rules, as the API takes them."
          minRows={12}
          value={text}
          onChange={setText}
          error={content === 'no_object' && 'This is no JSON object.'}
        />
        <FormEnd action={action} saving={saving} disabled={content === 'no_object'} readAgain={readAgain} />
      </Stack>
    </form>
  );
}
