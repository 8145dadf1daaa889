import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export type Span = Dto['StatsDto']['span'];

/** An hour is shown by the minute, a day by the quarter of an hour. */
const LOOK_EVERY_MS: Readonly<Record<Span, number>> = { hour: 5_000, day: 60_000 };

/** How the service is doing, kept up to date while the page is looked at. */
export function useStats(span: Span): UseQueryResult<Dto['StatsDto']> {
  return useQuery({
    queryKey: ['stats', span],
    queryFn: () => bodyOf(api.GET('/stats', { params: { query: { span } } })),
    refetchInterval: LOOK_EVERY_MS[span],
  });
}
