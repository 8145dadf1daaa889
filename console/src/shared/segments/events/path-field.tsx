import type { ReactNode } from 'react';
import { useProblemAt } from '../../field-problems';
import { SuggestedText } from '../../suggested-text';
import { useEventPaths } from './known-events';

interface PathFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The name of the events whose paths are suggested. */
  readonly event: string;
  /** What is suggested beside them. */
  readonly more?: readonly string[] | undefined;
  readonly value: string;
  readonly path: string;
  readonly onChange: (text: string) => void;
}

/** A dotted path into an event. */
export function PathField({
  label,
  hint,
  event,
  more = [],
  value,
  path,
  onChange,
}: PathFieldProps): ReactNode {
  return (
    <SuggestedText
      label={label}
      description={hint}
      // Below, so that the fields of a line stand at one height.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="properties.total"
      required
      maxLength={200}
      value={value}
      suggestions={[...useEventPaths(event), ...more]}
      error={useProblemAt(path)}
      onChange={onChange}
    />
  );
}
