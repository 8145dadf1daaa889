import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { asBuilder, asText, type Draft, isLessThanBuilt, type Language } from './built-draft';
import { CodeTextarea } from './code-textarea';

const LEFT_OUT =
  'Parts that are not complete have no JSON: they are left out here, and still in the builder.';

interface TwoViewsProps<Built, Written> {
  /** Of what is edited: `the rules`. */
  readonly name: string;
  readonly language: Language<Built, Written>;
  readonly draft: Draft<Built>;
  readonly onChange: (draft: Draft<Built>) => void;
  readonly builder: (built: Built, onChange: (built: Built) => void) => ReactNode;
  /** What the field for JSON is called. */
  readonly jsonLabel: string;
  readonly jsonHint?: string;
  readonly jsonRows: number;
  /** What is wrong with text that is no such JSON. */
  readonly noJson: string;
  /** What else is wrong with what is written as JSON. */
  readonly jsonProblem?: string | undefined;
}

/** A builder, and the JSON of the same for who would rather write that. */
export function TwoViews<Built, Written>(props: TwoViewsProps<Built, Written>): ReactNode {
  const { name, language, draft, onChange, builder, jsonLabel, jsonHint, jsonRows, noJson, jsonProblem } =
    props;
  const [problem, setProblem] = useState('');
  const show = (view: string): void => {
    const shown = view === 'json' ? asText(draft, language) : asBuilder(draft, language);
    setProblem(shown === undefined ? 'The builder cannot show this.' : '');
    if (shown !== undefined) onChange(shown);
  };
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={`View of ${name}`}
          data={[
            { value: 'builder', label: 'Builder' },
            { value: 'json', label: 'JSON' },
          ]}
          value={draft.view}
          onChange={show}
        />
        <Text size="sm" aria-live="polite">
          {problem || (isLessThanBuilt(draft, language) && LEFT_OUT)}
        </Text>
      </Group>
      {draft.view === 'builder' ? (
        builder(draft.built, (built) => onChange({ view: 'builder', built }))
      ) : (
        <CodeTextarea
          label={jsonLabel}
          description={jsonHint}
          minRows={jsonRows}
          value={draft.text}
          onChange={(text) => onChange({ ...draft, text })}
          error={language.readText(draft.text) === undefined ? noJson : jsonProblem}
        />
      )}
    </Stack>
  );
}
