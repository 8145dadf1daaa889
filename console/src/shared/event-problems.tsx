import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { eventProblemWords } from './event-problem-words';
import { TextWithCode } from './text-with-code';

interface EventProblem {
  readonly code: string;
  /** Of a member; empty for the whole. */
  readonly path: string;
  /** As the service said it; without it, what the code means. */
  readonly message?: string;
  /** Of the tracking plan that says so. */
  readonly rule?: string;
}

/** All that is wrong with an event, or with a request: `A track event needs its name in event. missing_event_name`. */
export function EventProblems({ problems }: { readonly problems: readonly EventProblem[] }): ReactNode {
  return problems.map(({ code, path, message = eventProblemWords(code), rule }, index) => (
    <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {rule !== undefined && `${rule}: `}
      <TextWithCode text={message} /> <Code>{code}</Code> {path !== '' && <Code>{path}</Code>}
    </Text>
  ));
}
