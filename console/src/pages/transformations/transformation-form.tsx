import { Box, SimpleGrid } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Dto } from '../../api/client';
import { CodeEditor } from '../../shared/code-editor';
import { NamedForm } from '../../shared/named-form';
import { problemAt, useProblemAt } from '../../shared/field-problems';
import { Section } from '../../shared/section';
import { TrialFields } from './trial-fields';
import { type Trial, useTrial } from './use-trial';

type Transformation = Dto['TransformationDto'];
type Body = Dto['CreateTransformationDto'];

const EXAMPLE = 'export function transform(event) {\n  return event;\n}\n';
/** The code stays in sight beside a long list of events. */
const BELOW_HEADER = 'calc(var(--app-shell-header-height, 0px) + var(--mantine-spacing-md))';

interface TransformationFormProps {
  /** The transformation that is changed; a new one without it. */
  readonly transformation?: Transformation;
  readonly action: string;
  readonly save: (body: Body) => Promise<Transformation>;
  /** Fills the form with what it is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
}

/** Name and code of a transformation, to be tried before it is saved. */
export function TransformationForm({
  transformation,
  action,
  save,
  readAgain,
}: TransformationFormProps): ReactNode {
  const initial = transformation?.code ?? EXAMPLE;
  const [code, setCode] = useState(initial);
  const trial = useTrial();
  return (
    <NamedForm
      kind="transformations"
      thing={transformation}
      placeholder="Orders of the north"
      action={action}
      written={code}
      save={code.trim() === '' ? undefined : (named) => save({ ...named, code })}
      readAgain={readAgain}
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Box pos={{ base: 'static', lg: 'sticky' }} top={BELOW_HEADER} style={{ alignSelf: 'start' }}>
          <CodeField initial={initial} code={code} onChange={setCode} trial={trial} />
        </Box>
        <Section title="What it makes of the newest events">
          <TrialFields code={code} trial={trial} />
        </Section>
      </SimpleGrid>
    </NamedForm>
  );
}

interface CodeFieldProps {
  readonly initial: string;
  readonly code: string;
  readonly onChange: (code: string) => void;
  readonly trial: Trial;
}

/** The code, with what is wrong with it: as its trial says as long as it is what was tried, or who would save it. */
function CodeField({ initial, code, onChange, trial }: CodeFieldProps): ReactNode {
  const { data, error, variables } = trial;
  const refused = useRefused(code);
  const isTried = variables?.code === code;
  const wrong = (isTried ? problemAt(error, 'code') : undefined) ?? refused;
  const wrongLines = useMemo(
    () => [
      ...lineIn(wrong),
      ...(isTried ? (data?.events ?? []).flatMap((event) => event.error?.line ?? []) : []),
    ],
    [data, isTried, wrong],
  );
  return (
    <CodeEditor
      label="Code"
      description="A JavaScript module that exports transform(event, { profile, segments }), which returns an event, a list of at most 20, or null for none."
      initial={initial}
      onChange={onChange}
      wrongLines={wrongLines}
      error={wrong}
    />
  );
}

/** What was wrong with the code when somebody wanted to save it, as long as nobody writes another one. */
function useRefused(code: string): string | undefined {
  const problem = useProblemAt('code');
  const [found, setFound] = useState({ problem, code });
  // While it is saved once more there is no problem: each answer is another one.
  if (found.problem !== problem) setFound({ problem, code });
  return found.code === code ? problem : undefined;
}

/** The line that a code cannot be read at: `Line 3: SyntaxError: …`; none of what is wrong elsewhere. */
function lineIn(wrong: string | undefined): number[] {
  const [, line] = /^Line (\d+): /.exec(wrong ?? '') ?? [];
  return line === undefined ? [] : [Number(line)];
}
