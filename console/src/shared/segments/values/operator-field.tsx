import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { LABELS } from '../field-labels';
import { operatorWords } from '../language-words';
import { type Compared, type Operator, OPERATORS_OF } from './value-language';

interface OperatorFieldProps {
  /** What is looked at: of times one says it in another way. */
  readonly field: string;
  readonly operator: Operator;
  readonly compared: Compared;
  /** Where the rule or condition stands. */
  readonly path: string;
  readonly onChange: (operator: Operator) => void;
}

export function OperatorField({ field, operator, compared, path, onChange }: OperatorFieldProps): ReactNode {
  const known = OPERATORS_OF[compared];
  // One that does not go with what is compared is shown too, so that it is not changed by being looked at.
  const shown = known.includes(operator) ? known : [...known, operator];
  return (
    <NativeSelect
      label={LABELS.operator}
      data={shown.map((one) => ({ value: one, label: operatorWords(field, one) }))}
      value={operator}
      error={useProblemAt(memberAt(path, 'operator'))}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Operator)}
    />
  );
}
