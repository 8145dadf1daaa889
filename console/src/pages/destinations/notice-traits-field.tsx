import type { ReactNode } from 'react';
import { useComputedTraits } from '../../api/all-of';
import { Answered } from '../../shared/answered';
import { ChoiceList } from '../../shared/choice-list';
import { useProblemsIn } from '../../shared/field-problems';
import { LABELS } from './field-labels';

interface NoticeTraitsFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The computed traits whose changes a destination is told of. */
export function NoticeTraitsField(props: NoticeTraitsFieldProps): ReactNode {
  const problem = useProblemsIn('noticeTraits');
  return (
    <Answered query={useComputedTraits()}>
      {(traits) => (
        <ChoiceList
          label={LABELS.noticeTraits}
          description="Whose changes it is told of; of all when none is chosen. The values of those are kept."
          choices={traits.map(({ name }) => ({ value: name, label: name }))}
          error={problem}
          {...props}
        />
      )}
    </Answered>
  );
}
