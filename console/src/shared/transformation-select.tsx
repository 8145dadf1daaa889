import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTransformations } from '../api/all-of';
import { Answered } from './answered';
import { useProblemAt } from './field-problems';

interface TransformationSelectProps {
  readonly description: string;
  /** Empty is none. */
  readonly chosen: string;
  readonly onChange: (transformationId: string) => void;
}

/** Which code changes what passes. */
export function TransformationSelect({
  description,
  chosen,
  onChange,
}: TransformationSelectProps): ReactNode {
  const problem = useProblemAt('transformationId');
  return (
    <Answered query={useTransformations()}>
      {(all) => (
        <NativeSelect
          label="Transformation"
          description={description}
          error={problem}
          data={[{ value: '', label: 'None' }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
          value={chosen}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Answered>
  );
}
