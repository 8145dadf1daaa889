import { Button, Loader, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

interface AnsweredProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query answers, and before that that it is loading, or why there is no answer. */
export function Answered<Data>({ query, children }: AnsweredProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
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

export function Loading(): ReactNode {
  return <Loader type="dots" my="md" role="status" aria-label="Loading" />;
}
