import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';
import { lookEveryMs } from './look-every';

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

/** @param isWatched whether to ask again while somebody looks */
export function useStats(id: string, isWatched = false): UseQueryResult<Dto['DestinationStatsDto']> {
  return useQuery({
    queryKey: ['destinations', id, 'stats'],
    queryFn: () => bodyOf(api.GET('/destinations/{id}/stats', { params: { path: { id } } })),
    refetchInterval: ({ state }) => isWatched && lookEveryMs(state.data),
  });
}

/** To be called after a change: what is shown of destinations, and of what is sent to them, is asked for again. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const kind of SHOWN) void queries.invalidateQueries({ queryKey: [kind] });
  };
}

const SHOWN = ['destinations', 'replays', 'attention', 'stats'] as const;
