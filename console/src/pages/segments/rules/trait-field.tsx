import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../../shared/field-problems';
import { choicesOf } from './choices-of';
import type { RuleDraft } from './rule-draft';
import { TRAIT_LABELS, type TraitAggregates } from './rule-language';

interface TraitFieldProps {
  readonly rule: Pick<RuleDraft, 'kind' | 'name'>;
  readonly traits: TraitAggregates;
  readonly path: string;
  readonly onChange: (name: string) => void;
}

/**
 * Which trait, where the rule is about one: of the person or a group by its name, of the computed ones one that is
 * there.
 */
export function TraitField({ rule: { kind, name }, traits, path, onChange }: TraitFieldProps): ReactNode {
  const problem = useProblemAt(memberAt(path, 'field'));
  switch (kind) {
    case 'trait':
    case 'group_trait':
      return (
        <TextInput
          label={TRAIT_LABELS[kind]}
          placeholder="plan, address.city"
          maxLength={190}
          value={name}
          error={problem}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'computed':
      return (
        <NativeSelect
          label={TRAIT_LABELS[kind]}
          data={choicesOf(
            'Choose a computed trait',
            [...traits.keys()].map((one) => ({ value: one, label: one })),
            name,
          )}
          value={name}
          error={problem}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    default:
      return null;
  }
}
