import type { ReactNode } from 'react';
import { type Draft, draftFrom, type Language, writtenIn } from '../../../shared/built-draft';
import { TwoViews } from '../../../shared/two-views';
import { GroupFields } from './group-fields';
import { missingInRules } from './missing-in-rules';
import { readRules } from './read-rules';
import { type GroupDraft, newRule } from './rule-draft';
import { rulePlaceWords } from './rule-place-words';
import { type Definition, writeComplete, writeRules } from './write-rules';

/** The rules while they are edited: member by member, or as JSON. */
type RulesDraft = Draft<GroupDraft>;

const LANGUAGE: Language<GroupDraft, Definition> = {
  write: writeRules,
  writeComplete,
  read: ({ rules, match }) => readRules(rules, match),
  textOf: ({ match, rules }) => JSON.stringify({ match, rules }, undefined, 2),
  readText,
};

/** The rules to begin with. */
export function draftOf(definition?: Definition): RulesDraft {
  if (definition !== undefined) return draftFrom(definition, LANGUAGE);
  return { view: 'builder', built: { key: '', match: 'all', not: false, rules: [newRule()] } };
}

/** The rules of a draft; undefined while something is missing. */
export function definitionOf(draft: RulesDraft): Definition | undefined {
  return writtenIn(draft, LANGUAGE);
}

/** The fields of the builder without which there are no rules. What JSON lacks is said beside it. */
export function missingIn(draft: RulesDraft): string[] {
  return draft.view === 'builder' ? missingInRules(draft.built) : [];
}

/** What a place in the rules is called in the view that is shown; in JSON it is as the service names it. */
export function placeInRules(path: string, draft: RulesDraft): string | undefined {
  return draft.view === 'builder' ? rulePlaceWords(path, draft.built) : undefined;
}

interface RulesEditorProps {
  readonly draft: RulesDraft;
  readonly onChange: (draft: RulesDraft) => void;
}

export function RulesEditor(props: RulesEditorProps): ReactNode {
  return (
    <TwoViews
      {...props}
      name="the rules"
      language={LANGUAGE}
      builder={(group, change) => <GroupFields group={group} place={[]} onChange={change} />}
      jsonLabel="match and rules, as the API takes them"
      jsonRows={6}
      noJson={'This is no JSON of {"match": …, "rules": […]}, or of a list of rules.'}
    />
  );
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
