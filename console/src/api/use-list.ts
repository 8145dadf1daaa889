import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ListPage } from './client';

/** A listing that is read page by page. */
export type List<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

type LoadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>;

/** What of a listing is known when it is decided whether to look again. */
interface Looked<Row> {
  readonly rows: readonly Row[];
  readonly times: number;
}

/**
 * Reads a listing: the first page at once, the next one when the person asks for more. All pages that were read are
 * asked for together, so nobody asks for them again who has only been elsewhere.
 * @param key names the listing and everything that filters it
 * @param lookAgainMs when to ask for them again nevertheless; never, without it
 */
export function useList<Row>(
  key: QueryKey,
  loadPage: LoadPage<Row>,
  lookAgainMs: (looked: Looked<Row>) => number | false = () => false,
): List<Row> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => loadPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnWindowFocus: false,
    // It makes copies, see `exactBodyOf`.
    structuralSharing: false,
    refetchInterval: ({ state }) => {
      const rows = state.data?.pages.flatMap((page) => page.rows);
      return rows === undefined ? false : lookAgainMs({ rows, times: state.dataUpdateCount });
    },
  });
}

/** A listing whose pages may be empty before its end. */
export interface SearchedList<Row> {
  readonly list: List<Row>;
  /** Nothing was found so far: it looks further. */
  readonly isLookingFurther: boolean;
  /** Leaves it where it is; the person may go on from there. */
  readonly stop: () => void;
}

/** Reads such a listing: each time until there is something to show. Of the empty pages nothing is kept. */
export function useSearchedList<Row>(key: QueryKey, loadPage: LoadPage<Row>): SearchedList<Row> {
  const [isLookingFurther, setLookingFurther] = useState(false);
  const isStopped = useRef(false);
  const list = useList<Row>(key, async (cursor, signal) => {
    isStopped.current = false;
    try {
      let page = await loadPage(cursor, signal);
      while (page.rows.length === 0 && page.nextCursor !== undefined && !isStopped.current) {
        setLookingFurther(true);
        page = await loadPage(page.nextCursor, signal);
      }
      return page;
    } finally {
      setLookingFurther(false);
    }
  });
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  return { list, isLookingFurther, stop };
}
