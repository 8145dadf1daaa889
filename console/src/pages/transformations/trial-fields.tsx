import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../shared/code-textarea';
import { ProblemAlert } from '../../shared/problem-alert';
import { readObject } from '../../shared/read-object';
import { TriedEvents } from './tried-events';
import type { Trial } from './use-trial';

const FEW = 10;

interface TrialFieldsProps {
  readonly code: string;
  readonly trial: Trial;
}

/** Tries a code as it is written: what is shown stays until it is tried again. */
export function TrialFields({ code, trial }: TrialFieldsProps): ReactNode {
  const [last, setLast] = useState<number | string>(FEW);
  const [text, setText] = useState('');
  const filter = readObject(text);
  const tryIt = (): void => {
    if (filter !== 'no_object') trial.mutate({ code, filter, ...(last !== '' && { last: Number(last) }) });
  };
  return (
    <Stack align="flex-start">
      <Text size="sm">Nothing is kept or sent. Code for the requests of a webhook cannot be tried here.</Text>
      <NumberInput
        label="Events"
        description="How many of the newest, 100 at most."
        clampBehavior="none"
        value={last}
        onChange={setLast}
      />
      <CodeTextarea
        label="Filter as JSON"
        description="A filter as destinations have it. Without a filter everything passes."
        placeholder='{"events": ["Order *"]}'
        value={text}
        onChange={setText}
        error={filter === 'no_object' && 'This is no JSON object.'}
      />
      <Button
        variant="default"
        disabled={filter === 'no_object' || code.trim() === ''}
        loading={trial.isPending}
        onClick={tryIt}
      >
        Try it on the newest events
      </Button>
      {trial.isError && <ProblemAlert error={trial.error} />}
      {trial.isSuccess && (
        <>
          {trial.variables.code !== code && <Text size="sm">The code was changed since.</Text>}
          <TriedEvents trial={trial.data} />
        </>
      )}
    </Stack>
  );
}
