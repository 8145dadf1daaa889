import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import type { ListPage } from './client';

/** A listing that is read page by page. */
export type List<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

/**
 * Reads a listing: the first page at once, the next one when the person asks for more.
 * @param key names the listing and everything that filters it
 */
export function useList<Row>(
  key: QueryKey,
  loadPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
): List<Row> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }: { pageParam: string | undefined }) => loadPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
