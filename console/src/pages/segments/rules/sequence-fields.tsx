import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProblemAt } from '../../../shared/field-problems';
import { EventFields } from '../../../shared/segments/events/event-fields';
import { STEP_LIMITS } from '../../../shared/segments/events/time-draft';
import { TimeFields } from '../../../shared/segments/events/time-fields';
import { WhereFields } from '../../../shared/segments/events/where-fields';
import { WindowFields } from '../../../shared/segments/events/window-fields';
import { ABSENT_LABEL, INNER_LABELS, LABELS, PARTS } from '../../../shared/segments/field-labels';
import {
  changeSteps,
  MAX_STEPS,
  MIN_STEPS,
  newStep,
  type SequenceDraft,
  type StepDraft,
  stepsIn,
} from './sequence-draft';

interface SequenceFieldsProps {
  readonly sequence: SequenceDraft;
  /** Where it stands: `rules[0]`. */
  readonly path: string;
  readonly onChange: (sequence: SequenceDraft) => void;
}

/** Events one after another, and perhaps one that does not follow. */
export function SequenceFields({ sequence, path, onChange }: SequenceFieldsProps): ReactNode {
  const { steps, allWithin, absent, window } = sequence;
  const problem = useProblemAt(`${path}.sequence`);
  return (
    <Stack gap="sm">
      {steps.map((step, index) => (
        <StepFields
          key={step.key}
          name={PARTS.sequence(index)}
          time={index === 0 ? 'none' : 'any'}
          step={step}
          path={`${path}.sequence[${index}]`}
          onChange={(changed) => onChange(changeSteps(sequence, steps.with(index, changed)))}
          onRemove={
            steps.length > 1 ? () => onChange(changeSteps(sequence, steps.toSpliced(index, 1))) : undefined
          }
        />
      ))}
      {absent !== undefined && (
        <StepFields
          name={ABSENT_LABEL}
          time="needed"
          step={absent}
          path={`${path}.not`}
          onChange={(changed) => onChange({ ...sequence, absent: changed })}
          onRemove={() => onChange({ ...sequence, absent: undefined })}
        />
      )}
      <StepButtons sequence={sequence} onChange={onChange} />
      {(problem ?? stepsIn(sequence) < MIN_STEPS) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {problem ?? 'One step is no sequence: add another one, or what does not follow.'}
        </Text>
      )}
      <WindowFields
        label="When it starts"
        window={window}
        path={path}
        onChange={(changed) => onChange({ ...sequence, window: changed })}
      />
      {steps.length > 1 && (
        <TimeFields
          label={LABELS.allWithin}
          without="any time"
          time={allWithin}
          limits={STEP_LIMITS}
          path={path}
          member="allWithin"
          onChange={(changed) => onChange({ ...sequence, allWithin: changed })}
        />
      )}
    </Stack>
  );
}

interface StepFieldsProps {
  readonly name: string;
  /** Whether it is said how long after the step before it comes. */
  readonly time: 'none' | 'any' | 'needed';
  readonly step: StepDraft;
  readonly path: string;
  readonly onChange: (step: StepDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function StepFields({ name, time, step, path, onChange, onRemove }: StepFieldsProps): ReactNode {
  const change = (changes: Partial<StepDraft>): void => onChange({ ...step, ...changes });
  return (
    <Paper withBorder p="xs" role="group" aria-label={name}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {onRemove !== undefined && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove ${name.toLowerCase()}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </Group>
      <Stack gap="xs">
        <Group align="flex-start" gap="xs">
          <EventFields test={step} isNamed path={path} onChange={change} />
          {time !== 'none' && (
            <TimeFields
              label={INNER_LABELS.within}
              without={time === 'any' ? 'any time' : undefined}
              time={step.within}
              limits={STEP_LIMITS}
              path={path}
              onChange={(within) => change({ within })}
            />
          )}
        </Group>
        <WhereFields test={step} path={path} onChange={(where) => change({ where })} />
      </Stack>
    </Paper>
  );
}

type StepButtonsProps = Pick<SequenceFieldsProps, 'sequence' | 'onChange'>;

function StepButtons({ sequence, onChange }: StepButtonsProps): ReactNode {
  const { steps, absent } = sequence;
  if (stepsIn(sequence) >= MAX_STEPS) return null;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => onChange(changeSteps(sequence, [...steps, newStep()]))}
      >
        Add a step
      </Button>
      {absent === undefined && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onChange({ ...sequence, absent: newStep() })}
        >
          Add what does not follow
        </Button>
      )}
    </Group>
  );
}
