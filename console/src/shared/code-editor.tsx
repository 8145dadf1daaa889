import { Input } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from './answered';

/** Loaded where somebody writes code, for it is larger than any page. */
const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror')).CodeMirror }));

export interface CodeEditorProps {
  readonly label: string;
  readonly description?: string;
  /** What it begins with: what is written then is told, not given. */
  readonly initial: string;
  readonly onChange: (code: string) => void;
  /** From 1. */
  readonly wrongLines?: readonly number[];
}

/** A field for JavaScript. */
export function CodeEditor({ description, ...field }: CodeEditorProps): ReactNode {
  return (
    <Input.Wrapper label={field.label} labelElement="div" description={description} w="100%">
      <Suspense fallback={<Loading />}>
        <CodeMirror {...field} />
      </Suspense>
    </Input.Wrapper>
  );
}
