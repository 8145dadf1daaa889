import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../../shared/code-textarea';
import { GroupFields } from './group-fields';
import { missingInRules } from './missing-in-rules';
import { readRules } from './read-rules';
import { type GroupDraft, newRule } from './rule-draft';
import { rulePlaceWords } from './rule-place-words';
import { type Definition, writeRules } from './write-rules';

/** The rules while they are edited: member by member, or as JSON. */
export type RulesDraft =
  { readonly view: 'builder'; readonly group: GroupDraft } | { readonly view: 'json'; readonly text: string };

/** The rules to begin with; those that the builder cannot show are JSON. */
export function draftOf(definition?: Definition): RulesDraft {
  if (definition === undefined)
    return { view: 'builder', group: { key: '', match: 'all', not: false, rules: [newRule()] } };
  const group = readRules(definition.rules, definition.match);
  return group === undefined ? { view: 'json', text: textOf(definition) } : { view: 'builder', group };
}

/** The rules of a draft; undefined while something is missing. */
export function definitionOf(draft: RulesDraft): Definition | undefined {
  return draft.view === 'builder' ? writeRules(draft.group) : readText(draft.text);
}

/** The fields of the builder without which there are no rules. What JSON lacks is said beside it. */
export function missingIn(draft: RulesDraft): string[] {
  return draft.view === 'builder' ? missingInRules(draft.group) : [];
}

/** What a place in the rules is called in the view that is shown; in JSON it is as the service names it. */
export function placeInRules(path: string, draft: RulesDraft): string | undefined {
  return draft.view === 'builder' ? rulePlaceWords(path, draft.group) : undefined;
}

interface RulesEditorProps {
  readonly draft: RulesDraft;
  readonly onChange: (draft: RulesDraft) => void;
}

export function RulesEditor({ draft, onChange }: RulesEditorProps): ReactNode {
  const [problem, setProblem] = useState('');
  const show = (view: string): void => {
    const shown = view === 'json' ? asText(draft) : asBuilder(draft);
    setProblem(typeof shown === 'string' ? shown : '');
    if (typeof shown !== 'string') onChange(shown);
  };
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label="View of the rules"
          data={[
            { value: 'builder', label: 'Builder' },
            { value: 'json', label: 'JSON' },
          ]}
          value={draft.view}
          onChange={show}
        />
        <Text size="sm" aria-live="polite">
          {problem}
        </Text>
      </Group>
      {draft.view === 'builder' ? (
        <GroupFields
          group={draft.group}
          place={[]}
          onChange={(group) => onChange({ view: 'builder', group })}
        />
      ) : (
        <CodeTextarea
          label="match and rules, as the API takes them"
          minRows={6}
          value={draft.text}
          onChange={(text) => onChange({ view: 'json', text })}
          error={readText(draft.text) === undefined && 'This is no JSON of {"match": …, "rules": […]}.'}
        />
      )}
    </Stack>
  );
}

function asText(draft: RulesDraft): RulesDraft | string {
  if (draft.view === 'json') return draft;
  const definition = writeRules(draft.group);
  return definition === undefined
    ? 'Complete the rules first: what is not written yet has no JSON.'
    : { view: 'json', text: textOf(definition) };
}

function asBuilder(draft: RulesDraft): RulesDraft | string {
  const definition = definitionOf(draft);
  const group = definition && readRules(definition.rules, definition.match);
  return group === undefined
    ? 'The builder cannot show this: it is not in the language of rules.'
    : { view: 'builder', group };
}

function textOf({ match, rules }: Definition): string {
  return JSON.stringify({ match, rules }, undefined, 2);
}

function readText(text: string): Definition | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !('rules' in read) || !Array.isArray(read.rules))
      return undefined;
    const { match = 'all', rules } = read as { match?: Definition['match']; rules: Definition['rules'] };
    return { match, rules };
  } catch {
    return undefined; // It is still being written.
  }
}
