import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListPage } from './client';

const LOOK_EVERY_MS = 1_000;

/** A listing that is read page by page. */
export type List<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

/**
 * Reads a listing: the first page at once, the next one when the person asks for more.
 * @param key names the listing and everything that filters it
 * @param isExpected whether something is on its way into the listing: while it is empty it is read again
 */
export function useList<Row>(
  key: QueryKey,
  loadPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
  isExpected = false,
): List<Row> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }: { pageParam: string | undefined }) => loadPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      isExpected && state.data?.pages[0]?.rows.length === 0 ? LOOK_EVERY_MS : false,
  });
}

/** For listings whose pages may be empty before their end: reads on until there is something to show. */
export function useLookFurther({
  data,
  hasNextPage,
  isFetching,
  fetchNextPage,
  isError,
}: List<unknown>): void {
  const isEmpty = data?.pages.every(({ rows }) => rows.length === 0) === true;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, isError, fetchNextPage]);
}
