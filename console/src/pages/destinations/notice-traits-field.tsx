import type { ReactNode } from 'react';
import { useComputedTraits } from '../../api/all-of';
import { ChoicesField, type ChosenProps } from './choices-field';
import { LABELS } from './field-labels';

/** The computed traits whose changes a destination is told of. */
export function NoticeTraitsField(props: ChosenProps): ReactNode {
  return (
    <ChoicesField
      {...props}
      things={useComputedTraits()}
      valueOf={({ name }) => name}
      path="noticeTraits"
      label={LABELS.noticeTraits}
      description="Whose changes it is told of; of all when none is chosen. The values of those are kept."
    />
  );
}
