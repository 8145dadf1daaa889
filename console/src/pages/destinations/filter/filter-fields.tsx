import { Checkbox, Group, NativeSelect, Stack, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useComputedTraits, useSegments } from '../../../api/all-of';
import { EVENT_TYPES } from '../../../shared/event-types';
import { useProblemsIn } from '../../../shared/field-problems';
import { AGGREGATES } from '../../../shared/segments/aggregates';
import { ConditionList, type OtherFields } from '../../../shared/segments/events/condition-list';
import { useEventNames } from '../../../shared/segments/events/known-events';
import { markOf } from '../../../shared/show-first-problem';
import { ChoicesField, type ChosenProps } from '../choices-field';
import type { FilterParts } from './filter-draft';
import { FILTER_LABELS } from './filter-labels';

/** Of each part, as the service takes it. */
const MAX_ENTRIES = 200;
const COMPUTED_PREFIX = 'computed.';

interface FilterFieldsProps {
  readonly parts: FilterParts;
  readonly onChange: (parts: FilterParts) => void;
}

/** The parts of a filter, all of which must hold. */
export function FilterFields({ parts, onChange }: FilterFieldsProps): ReactNode {
  const { types, events, match, conditions, segments } = parts;
  const change = (changes: Partial<FilterParts>): void => onChange({ ...parts, ...changes });
  return (
    <Stack>
      <TypesField chosen={types} onChange={(chosen) => change({ types: chosen })} />
      <NamesField names={events} onChange={(names) => change({ events: names })} />
      {conditions.length > 1 && <MatchField match={match} onChange={(chosen) => change({ match: chosen })} />}
      <ConditionList
        conditions={conditions}
        atMost={MAX_ENTRIES}
        event={onlyNameIn(events)}
        others={useComputedFields()}
        path="filter.conditions"
        onChange={(changed) => change({ conditions: changed })}
      />
      <SegmentsField chosen={segments} onChange={(chosen) => change({ segments: chosen })} />
    </Stack>
  );
}

interface TypesFieldProps {
  readonly chosen: FilterParts['types'];
  readonly onChange: (chosen: FilterParts['types']) => void;
}

function TypesField({ chosen, onChange }: TypesFieldProps): ReactNode {
  const problem = useProblemsIn('filter.types');
  return (
    <Checkbox.Group
      {...markOf(problem)}
      label={FILTER_LABELS.types}
      description="With none of them it gets notices only."
      error={problem}
      value={[...chosen]}
      onChange={(values) => onChange(EVENT_TYPES.filter((type) => values.includes(type)))}
    >
      <Group mt="xs">
        {EVENT_TYPES.map((type) => (
          <Checkbox key={type} value={type} label={type} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

interface NamesFieldProps {
  readonly names: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function NamesField({ names, onChange }: NamesFieldProps): ReactNode {
  return (
    <TagsInput
      label={FILTER_LABELS.events}
      description="Their names, of pages and screens too; * stands for any characters. All of them when there is none."
      placeholder={names.length === 0 ? 'Order Completed, or Order *' : ''}
      // A name may have a comma.
      splitChars={[]}
      maxTags={MAX_ENTRIES}
      data={[...useEventNames()]}
      value={[...names]}
      error={useProblemsIn('filter.events')}
      onChange={onChange}
    />
  );
}

interface MatchFieldProps {
  readonly match: FilterParts['match'];
  readonly onChange: (match: FilterParts['match']) => void;
}

function MatchField({ match, onChange }: MatchFieldProps): ReactNode {
  return (
    <NativeSelect
      label={FILTER_LABELS.match}
      data={[
        { value: 'all', label: 'all of these must hold' },
        { value: 'any', label: 'any of these must hold' },
      ]}
      value={match}
      error={useProblemsIn('filter.match')}
      onChange={({ currentTarget }) => onChange(currentTarget.value as FilterParts['match'])}
    />
  );
}

function SegmentsField(props: ChosenProps): ReactNode {
  return (
    <ChoicesField
      {...props}
      things={useSegments()}
      valueOf={({ id }) => id}
      path="filter.segments"
      label={FILTER_LABELS.segments}
      description="Only events of people who are in one of them; of everybody when none is chosen."
    />
  );
}

/** What is in events can be suggested where they have one name. */
function onlyNameIn(events: readonly string[]): string {
  const [name = ''] = events;
  return events.length === 1 && !name.includes('*') ? name : '';
}

/** The computed traits of the person. */
function useComputedFields(): OtherFields {
  const traits = useComputedTraits().data ?? [];
  return {
    names: traits.map(({ name }) => `${COMPUTED_PREFIX}${name}`),
    comparedOf(field) {
      const trait = traits.find(({ name }) => field === `${COMPUTED_PREFIX}${name}`);
      return trait === undefined ? 'anything' : AGGREGATES[trait.aggregate].compared;
    },
  };
}
