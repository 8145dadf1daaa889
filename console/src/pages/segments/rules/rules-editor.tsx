import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../../shared/code-textarea';
import { GroupFields } from './group-fields';
import { missingInRules } from './missing-in-rules';
import { readRules } from './read-rules';
import { type GroupDraft, newRule } from './rule-draft';
import { rulePlaceWords } from './rule-place-words';
import { type Definition, writeComplete, writeRules } from './write-rules';

/** The rules while they are edited: member by member, or as JSON. */
export type RulesDraft = BuilderDraft | JsonDraft;

interface BuilderDraft {
  readonly view: 'builder';
  readonly group: GroupDraft;
}

interface JsonDraft {
  readonly view: 'json';
  readonly text: string;
  /**
   * What the builder had when this text was made of it, which may be more: the text has no rules that are not complete.
   */
  readonly before?: { readonly text: string; readonly group: GroupDraft };
}

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
          {problem || leftOut(draft)}
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
          onChange={(text) => onChange({ ...draft, text })}
          error={
            readText(draft.text) === undefined &&
            'This is no JSON of {"match": …, "rules": […]}, or of a list of rules.'
          }
        />
      )}
    </Stack>
  );
}

function asText(draft: RulesDraft): JsonDraft {
  if (draft.view === 'json') return draft;
  const { group } = draft;
  const text = textOf(writeRules(group) ?? writeComplete(group));
  return { view: 'json', text, before: { text, group } };
}

/** Of the builder, what has no JSON: for people. */
function leftOut(draft: RulesDraft): string {
  if (draft.view === 'builder' || draft.before?.text !== draft.text) return '';
  if (writeRules(draft.before.group) !== undefined) return '';
  return 'Rules that are not complete have no JSON: they are left out here, and still in the builder.';
}

function asBuilder(draft: RulesDraft): BuilderDraft | string {
  if (draft.view === 'json' && draft.before?.text === draft.text)
    return { view: 'builder', group: draft.before.group };
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
    if (Array.isArray(read)) return { match: 'all', rules: read as Definition['rules'] };
    if (typeof read !== 'object' || read === null || !('rules' in read) || !Array.isArray(read.rules))
      return undefined;
    const { match = 'all', rules } = read as { match?: Definition['match']; rules: Definition['rules'] };
    return { match, rules };
  } catch {
    return undefined; // It is still being written.
  }
}
