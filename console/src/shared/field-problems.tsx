import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { ProblemError } from '../api/problem-error';
import { problemWords } from './problem-words';

const Problems = createContext<ProblemError['details']>([]);

interface FieldProblemsProps {
  /** Why the service did not take what is written; null as long as it did not say so. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/** Lets each field inside say what the service finds wrong with it. */
export function FieldProblems({ error, children }: FieldProblemsProps): ReactNode {
  const details = useMemo(() => (error === null ? [] : ProblemError.of(error).details), [error]);
  return <Problems value={details}>{children}</Problems>;
}

/** What is wrong at a place such as `rules[0].within`. */
export function useProblemAt(path: string): string | undefined {
  const problem = useContext(Problems).find((one) => one.path === path);
  return problem && problemWords(problem);
}

/** The place of a member of what stands at a place. */
export function memberAt(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
