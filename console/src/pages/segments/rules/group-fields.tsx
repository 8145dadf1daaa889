import { Button, Checkbox, Group, NativeSelect, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type GroupDraft, isGroup, MAX_DEPTH, newGroup, newRule, type NodeDraft } from './rule-draft';
import { RuleFields } from './rule-fields';

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
        <Button variant="default" onClick={() => change({ rules: [...rules, newRule()] })}>
          Add a rule
        </Button>
        {place.length < MAX_DEPTH && (
          <Button variant="default" onClick={() => change({ rules: [...rules, newGroup()] })}>
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
  const name = `${isGroup(node) ? 'Group' : 'Rule'} ${place.map((index) => index + 1).join('.')}`;
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Group justify="flex-end">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Remove ${name.toLowerCase()}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </Group>
      {isGroup(node) ? (
        <GroupFields group={node} place={place} onChange={onChange} />
      ) : (
        <RuleFields rule={node} onChange={onChange} />
      )}
    </Paper>
  );
}
