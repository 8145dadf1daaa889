import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

const LOOK_EVERY_MS = 1_000;

/** A computed trait, asked for again while its values are computed. */
export function useComputedTrait(id: string): UseQueryResult<Dto['ComputedTraitDto']> {
  return useQuery({
    queryKey: ['computed-traits', id],
    queryFn: () => bodyOf(api.GET('/computed-traits/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.values === 'computing' ? LOOK_EVERY_MS : false),
  });
}
