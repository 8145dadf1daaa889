import { Group, NativeSelect, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useComputedTraits } from '../../../api/all-of';
import { MeasureFields } from '../../../shared/segments/events/measure-fields';
import { LABELS } from '../../../shared/segments/field-labels';
import { FIELD_WORDS } from '../../../shared/segments/language-words';
import { OperatorField } from '../../../shared/segments/values/operator-field';
import { ValueFields } from '../../../shared/segments/values/value-fields';
import { changeRule, isOfEvents, type RuleDraft } from './rule-draft';
import { comparedOf, FIELD_KINDS, type FieldKind, type TraitAggregates } from './rule-language';
import { SegmentField } from './segment-field';
import { TraitField } from './trait-field';

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  /** Where it stands: `rules[0]`. */
  readonly path: string;
  readonly onChange: (rule: RuleDraft) => void;
}

/** The fields of one rule: what it looks at, how, and what it compares with. */
export function RuleFields({ rule, path, onChange }: RuleFieldsProps): ReactNode {
  const traits: TraitAggregates = new Map(
    useComputedTraits().data?.map(({ name, aggregate }) => [name, aggregate]),
  );
  const change = (changes: Partial<RuleDraft>): void => onChange(changeRule(rule, changes, traits));
  const kind = <KindField kind={rule.kind} onChange={(chosen) => change({ kind: chosen })} />;
  const test = <RuleTest rule={rule} traits={traits} path={path} onChange={change} />;
  if (!isOfEvents(rule))
    return (
      <Group align="flex-start" gap="xs">
        {kind}
        <TraitField rule={rule} traits={traits} path={path} onChange={(name) => change({ name })} />
        {test}
      </Group>
    );
  return (
    <Stack gap="xs">
      <MeasureFields
        isCount={rule.kind === 'event_count'}
        measure={rule.measure}
        path={path}
        onChange={(measure) => change({ measure })}
      >
        {kind}
      </MeasureFields>
      <Group align="flex-start" gap="xs">
        {test}
      </Group>
    </Stack>
  );
}

interface KindFieldProps {
  readonly kind: FieldKind;
  readonly onChange: (kind: FieldKind) => void;
}

function KindField({ kind, onChange }: KindFieldProps): ReactNode {
  return (
    <NativeSelect
      label={LABELS.field}
      data={FIELD_KINDS.map((one) => ({ value: one, label: FIELD_WORDS[one] }))}
      value={kind}
      onChange={({ currentTarget }) => onChange(currentTarget.value as FieldKind)}
    />
  );
}

interface RuleTestProps {
  readonly rule: RuleDraft;
  readonly traits: TraitAggregates;
  readonly path: string;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function RuleTest({ rule, traits, path, onChange }: RuleTestProps): ReactNode {
  const { kind, operator, values } = rule;
  const compared = comparedOf(rule, traits);
  return (
    <>
      <OperatorField
        field={kind}
        operator={operator}
        compared={compared}
        path={path}
        onChange={(chosen) => onChange({ operator: chosen })}
      />
      {kind === 'segments' ? (
        <SegmentField
          chosen={values[0]?.text ?? ''}
          path={path}
          onChange={(text) => onChange({ values: [{ kind: 'text', text }] })}
        />
      ) : (
        <ValueFields
          test={rule}
          compared={compared}
          path={path}
          onChange={(changed) => onChange({ values: changed })}
        />
      )}
    </>
  );
}
