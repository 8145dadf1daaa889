import type { ReactNode } from 'react';
import { useSources } from '../../api/all-of';
import { ChoicesField, type ChosenProps } from './choices-field';
import { LABELS } from './field-labels';

/** Whose events a destination gets. */
export function SourcesField(props: ChosenProps): ReactNode {
  return (
    <ChoicesField
      {...props}
      things={useSources()}
      valueOf={({ id }) => id}
      path="sources"
      label={LABELS.sources}
      description="Whose events it gets; of all sources when none is chosen."
    />
  );
}
