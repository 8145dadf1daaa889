import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export function usePlan(id: string): UseQueryResult<Dto['TrackingPlanDto']> {
  return useQuery({
    queryKey: ['tracking-plans', id],
    queryFn: () => bodyOf(api.GET('/tracking-plans/{id}', { params: { path: { id } } })),
  });
}

/** The last 1,000 versions of a plan, newest first. */
export function useVersions(id: string): UseQueryResult<Dto['TrackingPlanVersionSummaryDto'][]> {
  return useQuery({
    queryKey: ['tracking-plans', id, 'versions'],
    queryFn: () => bodyOf(api.GET('/tracking-plans/{id}/versions', { params: { path: { id } } })),
  });
}

/** A plan as it was in a version, which never changes. */
export function useVersion(id: string, version: string): UseQueryResult<Dto['TrackingPlanVersionDto']> {
  return useQuery({
    queryKey: ['tracking-plans', id, 'versions', version],
    queryFn: () =>
      bodyOf(api.GET('/tracking-plans/{id}/versions/{version}', { params: { path: { id, version } } })),
    staleTime: Infinity,
  });
}
