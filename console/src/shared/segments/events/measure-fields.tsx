import { Group, NativeSelect, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { AGGREGATE_CHOICES, AGGREGATES, type Aggregate } from '../aggregates';
import { LABELS } from '../field-labels';
import { EventFields } from './event-fields';
import { countNeedsEvents, type MeasureDraft } from './measure-draft';
import { PathField } from './path-field';
import { WhereFields } from './where-fields';
import { WindowFields } from './window-fields';

interface MeasureFieldsProps {
  /** Whether it is only asked how many events there are: profiles know that of any, and for ever. */
  readonly isCount?: boolean;
  readonly measure: MeasureDraft;
  /** Where the rule stands; empty is a computed trait. */
  readonly path: string;
  /** What stands before these fields. */
  readonly children?: ReactNode;
  readonly onChange: (measure: MeasureDraft) => void;
}

/** Which events count, in which window, and what is made of them. */
export function MeasureFields({
  isCount = false,
  measure,
  path,
  children,
  onChange,
}: MeasureFieldsProps): ReactNode {
  const change = (changes: Partial<MeasureDraft>): void => onChange({ ...measure, ...changes });
  const isStored = !isCount || countNeedsEvents(measure);
  return (
    <Stack gap="xs">
      <Group align="flex-start" gap="xs">
        {children}
        {!isCount && <AggregateFields measure={measure} path={path} onChange={change} />}
        <EventFields test={measure} isNamed={isStored} path={path} onChange={change} />
        <WindowFields
          label="When"
          without={isStored ? undefined : 'ever'}
          window={measure.window}
          path={path}
          onChange={(window) => change({ window })}
        />
      </Group>
      <WhereFields test={measure} path={path} onChange={(where) => change({ where })} />
    </Stack>
  );
}

interface AggregateFieldsProps {
  readonly measure: MeasureDraft;
  readonly path: string;
  readonly onChange: (changes: Partial<MeasureDraft>) => void;
}

/** What is made of the events. */
function AggregateFields({ measure, path, onChange }: AggregateFieldsProps): ReactNode {
  const { aggregate, of, event } = measure;
  return (
    <>
      <NativeSelect
        label={LABELS.aggregate}
        data={AGGREGATE_CHOICES}
        value={aggregate}
        error={useProblemAt(memberAt(path, 'aggregate'))}
        onChange={({ currentTarget }) => onChange({ aggregate: currentTarget.value as Aggregate })}
      />
      {AGGREGATES[aggregate].hasPath && (
        <PathField
          label={LABELS.of}
          hint="Where the values are in the event."
          event={event}
          value={of}
          path={memberAt(path, 'of')}
          onChange={(text) => onChange({ of: text })}
        />
      )}
    </>
  );
}
