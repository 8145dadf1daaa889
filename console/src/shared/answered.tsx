import { Alert, Button, Loader, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error';
import { ProblemAlert } from './problem-alert';
import { Time } from './time';

/** What a query says of its answer. */
export interface Asked<Data> {
  readonly data: Data | undefined;
  readonly dataUpdatedAt: number;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface AnsweredProps<Data> {
  readonly query: Asked<Data>;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows what a query answers, and before that that it is loading, or why there is no answer. Where it cannot be asked
 * again, the last answer stays, with the time that it is of.
 */
export function Answered<Data>({ query, children }: AnsweredProps<Data>): ReactNode {
  const answer = answerOf(query);
  if (answer !== undefined)
    return (
      <>
        {query.error !== null && <NotUpToDate since={query.dataUpdatedAt} error={query.error} />}
        {children(answer)}
      </>
    );
  if (query.isPending) return <Loading />;
  return (
    <Stack align="flex-start">
      <ProblemAlert error={query.error} />
      <Button variant="default" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Stack>
  );
}

/** What is known; nothing of what is gone since. */
export function answerOf<Data>({ data, error }: Asked<Data>): Data | undefined {
  return error !== null && ProblemError.of(error).status === 404 ? undefined : data;
}

interface NotUpToDateProps {
  readonly since: number;
  readonly error: Error;
}

function NotUpToDate({ since, error }: NotUpToDateProps): ReactNode {
  return (
    <Alert color="yellow" variant="outline" role="alert" mb="xs">
      Not up to date since <Time at={new Date(since).toISOString()} />: {ProblemError.of(error).message}
    </Alert>
  );
}

export function Loading(): ReactNode {
  return <Loader type="dots" my="md" role="status" aria-label="Loading" />;
}
