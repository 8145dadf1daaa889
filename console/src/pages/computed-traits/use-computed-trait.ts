import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export function useComputedTrait(id: string): UseQueryResult<Dto['ComputedTraitDto']> {
  return useQuery({
    queryKey: ['computed-traits', id],
    queryFn: () => bodyOf(api.GET('/computed-traits/{id}', { params: { path: { id } } })),
  });
}
