import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProblemAt } from '../../shared/field-problems';
import { LABELS } from './field-labels';
import type { OrderDraft } from './settings-draft';

const CHOICES: readonly { readonly value: OrderDraft['afterwards']; readonly label: string }[] = [
  { value: 'none', label: 'None: as fast as the receiver takes them' },
  { value: 'pass', label: 'Per person; what is waited for too long is passed' },
  { value: 'dead_letter', label: 'Per person; what is waited for too long becomes a dead letter' },
];

interface OrderFieldProps {
  readonly order: OrderDraft;
  readonly onChange: (order: OrderDraft) => void;
}

/** Whether the events of each person are sent in the order of their acceptance. */
export function OrderField({ order, onChange }: OrderFieldProps): ReactNode {
  const [whole, afterwards] = [useProblemAt('order'), useProblemAt('order.afterwards')];
  const maxWaitSecondsProblem = useProblemAt('order.maxWaitSeconds');
  const maxWaitingProblem = useProblemAt('order.maxWaiting');
  return (
    <>
      <NativeSelect
        label={LABELS.order}
        description="Per person: the next event of somebody is sent once the one before has arrived or is dead. Not for batches."
        error={whole ?? afterwards}
        data={CHOICES}
        value={order.afterwards}
        onChange={({ currentTarget }) => {
          const chosen = CHOICES.find(({ value }) => value === currentTarget.value);
          if (chosen !== undefined) onChange({ ...order, afterwards: chosen.value });
        }}
      />
      {order.afterwards !== 'none' && (
        <Group grow align="start">
          <NumberInput
            label={LABELS.maxWaitSeconds}
            description="Seconds that later events wait for one that failed; 3600 when it is empty."
            error={maxWaitSecondsProblem}
            clampBehavior="none"
            value={order.maxWaitSeconds}
            onChange={(maxWaitSeconds) => onChange({ ...order, maxWaitSeconds })}
          />
          <NumberInput
            label={LABELS.maxWaiting}
            description="Events of one person that wait for it; 1000 when it is empty."
            error={maxWaitingProblem}
            clampBehavior="none"
            value={order.maxWaiting}
            onChange={(maxWaiting) => onChange({ ...order, maxWaiting })}
          />
        </Group>
      )}
    </>
  );
}
