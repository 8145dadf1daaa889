import type { ReactNode } from 'react';
import { useSources } from '../../api/all-of';
import { Answered } from '../../shared/answered';
import { ChoiceList } from '../../shared/choice-list';
import { useProblemsIn } from '../../shared/field-problems';
import { LABELS } from './field-labels';

interface SourcesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Whose events a destination gets. */
export function SourcesField(props: SourcesFieldProps): ReactNode {
  const problem = useProblemsIn('sources');
  return (
    <Answered query={useSources()}>
      {(sources) => (
        <ChoiceList
          label={LABELS.sources}
          description="Whose events it gets; of all sources when none is chosen."
          choices={sources.map(({ id, name }) => ({ value: id, label: name }))}
          error={problem}
          {...props}
        />
      )}
    </Answered>
  );
}
