import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { ProblemError } from '../api/problem-error';
import { usePlaceWords } from './place-words';
import { problemWords } from './problem-words';

const Problems = createContext<ProblemError['details']>([]);

interface FieldProblemsProps {
  /** Why the service did not take what is written; null as long as it did not say so. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/** Lets each field inside say what the service finds wrong with it. */
export function FieldProblems({ error, children }: FieldProblemsProps): ReactNode {
  const details = useMemo(() => detailsOf(error), [error]);
  return <Problems value={details}>{children}</Problems>;
}

/** What is wrong at a place such as `rules[0].within`. */
export function useProblemAt(path: string): string | undefined {
  return wordsAt(useContext(Problems), path);
}

/** The same, of an error that is told of beside a field only: that of a trial. */
export function problemAt(error: unknown, path: string): string | undefined {
  return wordsAt(detailsOf(error), path);
}

function detailsOf(error: unknown): ProblemError['details'] {
  return error === null ? [] : ProblemError.of(error).details;
}

function wordsAt(problems: ProblemError['details'], path: string): string | undefined {
  const problem = problems.find((one) => one.path === path);
  return problem && problemWords(problem);
}

/** What is wrong at a place and below it, for a field that holds all of it: `types[0]: Must be one of …` at `filter`. */
export function useProblemsIn(path: string): string | undefined {
  const words = usePlaceWords();
  const label = words(path) ?? path;
  const problems = useContext(Problems)
    .filter((one) => isWithin(one.path, path))
    .map((one) => {
      const inner = (words(one.path) ?? one.path).slice(label.length).replace(/^(?:, |\.)/, '');
      return inner === '' ? problemWords(one) : `${inner}: ${problemWords(one)}`;
    });
  return problems.length === 0 ? undefined : problems.join(' ');
}

function isWithin(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
}

/** The place of a member of what stands at a place. */
export function memberAt(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
