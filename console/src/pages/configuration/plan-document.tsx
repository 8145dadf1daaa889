import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../shared/code-textarea';
import { ConfirmButton } from '../../shared/confirm-button';
import { ProblemAlert } from '../../shared/problem-alert';
import { useUnsaved } from '../../shared/unsaved';
import { applyDocument, planDocument } from './apply-document';
import { PlannedChanges } from './planned-changes';

/** A document is pasted, what it would change is shown, and then it can be applied. */
export function PlanDocument(): ReactNode {
  const [text, setText] = useState('');
  const [prune, setPrune] = useState(false);
  const [applied, setApplied] = useState('');
  useUnsaved(text, applied);
  const queries = useQueryClient();
  const plan = useMutation({ mutationFn: () => planDocument({ text, prune }) });
  const edit = (change: () => void): void => {
    change();
    plan.reset();
  };
  const planned = plan.data;
  return (
    <Stack>
      <CodeTextarea
        label="A document, in YAML or JSON"
        minRows={4}
        value={text}
        onChange={(value) => edit(() => setText(value))}
      />
      <Checkbox
        label="Also delete what its lists do not hold"
        checked={prune}
        onChange={({ currentTarget: { checked } }) => edit(() => setPrune(checked))}
      />
      <Group>
        <Button loading={plan.isPending} disabled={text.trim() === ''} onClick={() => plan.mutate()}>
          Show what it would change
        </Button>
        {planned !== undefined && planned.changes.length > 0 && (
          <ConfirmButton
            label="Apply it"
            consequence={<PlannedChanges changes={planned.changes} />}
            action={() => applyDocument({ text, prune }, planned)}
            onDone={() => {
              plan.reset();
              setApplied(text);
              void queries.invalidateQueries();
            }}
            readAgain={() => plan.mutateAsync()}
          />
        )}
      </Group>
      {plan.isError && <ProblemAlert error={plan.error} />}
      {planned !== undefined &&
        (planned.changes.length === 0 ? (
          <Text>It changes nothing.</Text>
        ) : (
          <PlannedChanges changes={planned.changes} />
        ))}
    </Stack>
  );
}
