import { Button, Checkbox, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type GroupDraft,
  isGroup,
  isSequence,
  MAX_DEPTH,
  newGroup,
  newRule,
  type NodeDraft,
} from './rule-draft';
import { RuleFields } from './rule-fields';
import { nodeName } from './rule-place-words';
import { newSequence } from './sequence-draft';
import { SequenceFields } from './sequence-fields';

interface GroupFieldsProps {
  readonly group: GroupDraft;
  /** Where it stands: `[]` is the segment itself, `[0, 2]` the third rule of its first group. */
  readonly place: readonly number[];
  readonly onChange: (group: GroupDraft) => void;
}

/** Rules of which all or any must hold; groups among them are inside of it. */
export function GroupFields({ group, place, onChange }: GroupFieldsProps): ReactNode {
  const { match, not, rules } = group;
  const change = (changes: Partial<GroupDraft>): void => onChange({ ...group, ...changes });
  const add = (node: NodeDraft): void => change({ rules: [...rules, node] });
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-end">
        <NativeSelect
          label="Who is in it"
          data={[
            { value: 'all', label: 'those for whom all of these hold' },
            { value: 'any', label: 'those for whom any of these holds' },
          ]}
          value={match}
          onChange={({ currentTarget }) => change({ match: currentTarget.value as GroupDraft['match'] })}
        />
        {place.length > 0 && (
          <Checkbox
            label="Turn it around: those for whom it does not hold"
            mb="xs"
            checked={not}
            onChange={({ currentTarget }) => change({ not: currentTarget.checked })}
          />
        )}
      </Group>
      {rules.map((node, index) => (
        <NodeFields
          key={node.key}
          node={node}
          place={[...place, index]}
          onChange={(changed) => change({ rules: rules.with(index, changed) })}
          onRemove={() => change({ rules: rules.toSpliced(index, 1) })}
        />
      ))}
      <Group gap="xs">
        <Button variant="default" onClick={() => add(newRule())}>
          Add a rule
        </Button>
        <Button variant="default" onClick={() => add(newSequence())}>
          Add a sequence
        </Button>
        {place.length < MAX_DEPTH && (
          <Button variant="default" onClick={() => add(newGroup())}>
            Add a group
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface NodeFieldsProps {
  readonly node: NodeDraft;
  readonly place: readonly number[];
  readonly onChange: (node: NodeDraft) => void;
  readonly onRemove: () => void;
}

function NodeFields({ node, place, onChange, onRemove }: NodeFieldsProps): ReactNode {
  const name = nodeName(node, place);
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Remove ${name.toLowerCase()}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </Group>
      <KnownFields node={node} place={place} onChange={onChange} />
    </Paper>
  );
}

function KnownFields({ node, place, onChange }: Omit<NodeFieldsProps, 'onRemove'>): ReactNode {
  if (isGroup(node)) return <GroupFields group={node} place={place} onChange={onChange} />;
  const path = place.map((index) => `rules[${index}]`).join('.');
  if (isSequence(node)) return <SequenceFields sequence={node} path={path} onChange={onChange} />;
  return <RuleFields rule={node} path={path} onChange={onChange} />;
}
