import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { EVENT_TYPES } from '../../../shared/event-types';
import { FIELD_WORDS, operatorWords } from '../../../shared/segments/language-words';
import { changeRule, type RuleDraft } from './rule-draft';
import { FIELD_KINDS, OPERATORS_OF } from './rule-language';
import { ValueFields } from './value-fields';

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly onChange: (rule: RuleDraft) => void;
}

/** The fields of one rule: what it looks at, how, and what it compares with. */
export function RuleFields({ rule, onChange }: RuleFieldsProps): ReactNode {
  const change = (changes: Partial<RuleDraft>): void => onChange(changeRule(rule, changes));
  return (
    <Group align="flex-end" gap="xs">
      <NativeSelect
        label="Field"
        data={FIELD_KINDS.map((kind) => ({ value: kind, label: FIELD_WORDS[kind] }))}
        value={rule.kind}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value as RuleDraft['kind'] })}
      />
      {(rule.kind === 'trait' || rule.kind === 'group_trait') && (
        <TextInput
          label="Name or path"
          placeholder="plan, address.city"
          maxLength={190}
          value={rule.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      )}
      {rule.kind === 'event_count' && <CountedFields rule={rule} onChange={change} />}
      <NativeSelect
        label="Operator"
        data={OPERATORS_OF[rule.kind].map((operator) => ({
          value: operator,
          label: operatorWords(rule.kind, operator),
        }))}
        value={rule.operator}
        onChange={({ currentTarget }) => change({ operator: currentTarget.value as RuleDraft['operator'] })}
      />
      <ValueFields rule={rule} onChange={(values) => change({ values })} />
    </Group>
  );
}

interface CountedFieldsProps {
  readonly rule: RuleDraft;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

/** Which events are counted. */
function CountedFields({ rule: { event, type, within }, onChange }: CountedFieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label="Event name"
        placeholder="any"
        maxLength={1_000}
        value={event}
        onChange={({ currentTarget }) => onChange({ event: currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        data={[{ value: '', label: 'any' }, ...EVENT_TYPES]}
        value={type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
      />
      <TextInput
        label="In the last days"
        placeholder="ever"
        inputMode="numeric"
        w={120}
        value={within}
        onChange={({ currentTarget }) => onChange({ within: currentTarget.value.replaceAll(/\D/g, '') })}
      />
    </>
  );
}
