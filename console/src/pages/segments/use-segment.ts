import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

const LOOK_EVERY_MS = 1_000;

/** A segment, asked for again while it is computed. */
export function useSegment(id: string): UseQueryResult<Dto['SegmentDto']> {
  return useQuery({
    queryKey: ['segments', id],
    queryFn: () => bodyOf(api.GET('/segments/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === 'computing' ? LOOK_EVERY_MS : false),
  });
}

/** What of its rules is probably not meant so, as of now. */
export function useSegmentWarnings(id: string): UseQueryResult<Dto['ProblemDetailDto'][]> {
  return useQuery({
    queryKey: ['segments', id, 'warnings'],
    queryFn: () => bodyOf(api.GET('/segments/{id}/warnings', { params: { path: { id } } })),
  });
}
