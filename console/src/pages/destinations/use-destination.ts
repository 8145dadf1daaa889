import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export function useDestination(id: string): UseQueryResult<Dto['DestinationDto']> {
  return useQuery({
    queryKey: ['destinations', id],
    queryFn: () => bodyOf(api.GET('/destinations/{id}', { params: { path: { id } } })),
  });
}

/** The connectors that are installed. */
export function useConnectors(): UseQueryResult<Dto['ConnectorDto'][]> {
  return useQuery({ queryKey: ['connectors'], queryFn: () => bodyOf(api.GET('/connectors')) });
}

/** Health and backlog, asked for again while somebody looks. */
export function useStats(
  id: string,
  refetchInterval: number | false = false,
): UseQueryResult<Dto['DestinationStatsDto']> {
  return useQuery({
    queryKey: ['destinations', id, 'stats'],
    queryFn: () => bodyOf(api.GET('/destinations/{id}/stats', { params: { path: { id } } })),
    refetchInterval,
  });
}

/** To be called after a change: what is shown of destinations is asked for again. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['destinations'] });
}
