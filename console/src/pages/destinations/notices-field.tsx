import { Checkbox, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { useProblemsIn } from '../../shared/field-problems';
import { markOf } from '../../shared/show-first-problem';
import { LABELS } from './field-labels';

export type Notice = Dto['DestinationDto']['notices'][number];

/** What each notice tells of. */
export const NOTICES: Readonly<Record<Notice, string>> = {
  segment_entered: 'Somebody enters a segment',
  segment_exited: 'Somebody leaves a segment',
  trait_changed: 'A computed trait of somebody changes',
  delete: 'A person is deleted',
  destination_degraded: 'A destination is degraded',
  destination_disabled: 'A destination is disabled',
  destination_recovered: 'A destination has recovered',
  dead_letters: 'Deliveries become dead letters',
  segment_failed: 'Computing a segment fails',
  source_silent: 'A source is silent',
  plan_violations: 'Events violate their tracking plan',
  configuration_changed: 'The configuration is changed',
};

interface NoticesFieldProps {
  readonly chosen: readonly Notice[];
  readonly onChange: (chosen: Notice[]) => void;
}

/** What a destination is told beside the events of people. */
export function NoticesField({ chosen, onChange }: NoticesFieldProps): ReactNode {
  const problem = useProblemsIn('notices');
  return (
    <Checkbox.Group
      {...markOf(problem)}
      label={LABELS.notices}
      error={problem}
      description="What it is told beside the events of people."
      value={[...chosen]}
      onChange={onChange}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
        {Object.entries(NOTICES).map(([notice, words]) => (
          <Checkbox key={notice} value={notice} label={words} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
