import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { List } from '../api/use-list';
import { ProblemAlert } from './problem-alert';

/** A button for the next page of a listing while there is one, and why it did not come. */
export function ShowMore({ list }: { readonly list: List<unknown> }): ReactNode {
  return (
    <>
      {list.isFetchNextPageError && <ProblemAlert error={list.error} />}
      {list.hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  );
}
