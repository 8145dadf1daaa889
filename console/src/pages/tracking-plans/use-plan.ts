import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export function usePlan(id: string): UseQueryResult<Dto['TrackingPlanDto']> {
  return useQuery({
    queryKey: ['tracking-plans', id],
    queryFn: () => bodyOf(api.GET('/tracking-plans/{id}', { params: { path: { id } } })),
  });
}
