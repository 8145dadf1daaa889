import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSegments } from '../../../api/all-of';
import { memberAt, useProblemAt } from '../../../shared/field-problems';
import { LABELS } from '../../../shared/segments/field-labels';
import { choicesOf } from './choices-of';

interface SegmentFieldProps {
  /** The id. */
  readonly chosen: string;
  readonly path: string;
  readonly onChange: (id: string) => void;
}

/** Another segment that people are in, or not. */
export function SegmentField({ chosen, path, onChange }: SegmentFieldProps): ReactNode {
  const segments = useSegments().data ?? [];
  return (
    <NativeSelect
      label={LABELS.value}
      data={choicesOf(
        'Choose a segment',
        segments.map(({ id, name }) => ({ value: id, label: name })),
        chosen,
      )}
      value={chosen}
      error={useProblemAt(memberAt(path, 'value'))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
