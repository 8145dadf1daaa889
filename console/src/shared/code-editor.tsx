import { Input, type InputWrapperProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from './answered';
import { markOf } from './show-first-problem';

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
  /** What is wrong with all of it; it stands above the code, which may be long. */
  readonly error?: string;
}

const ORDER: InputWrapperProps['inputWrapperOrder'] = ['label', 'description', 'error', 'input'];

/** A field for JavaScript. */
export function CodeEditor({ description, error, ...field }: CodeEditorProps): ReactNode {
  return (
    <Input.Wrapper
      label={field.label}
      labelElement="div"
      description={description}
      error={error}
      inputWrapperOrder={ORDER}
      w="100%"
      {...markOf(error)}
    >
      <Suspense fallback={<Loading />}>
        <CodeMirror {...field} />
      </Suspense>
    </Input.Wrapper>
  );
}
