import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Dto, type QueryOf } from '../../../api/client';
import { pathsIn } from './paths-in';

/** So many events have all names that somebody is likely to think of, and are soon there. */
const NEWEST = 200;
/** Of one name, and so much alike. */
const ALIKE = 20;
const STALE_AFTER_MS = 300_000;
const AFTER_TYPING_MS = 300;

type Event = Dto['EventDto'];

/** The names of the newest events. */
export function useEventNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['events', 'names'],
    queryFn: async ({ signal }) => [
      ...new Set((await newest({ limit: NEWEST }, signal)).map(({ name }) => name)),
    ],
    staleTime: STALE_AFTER_MS,
  });
  return data;
}

/** The paths to what the newest events of a name have. */
export function useEventPaths(name: string): readonly string[] {
  const [settled] = useDebouncedValue(name, AFTER_TYPING_MS);
  const { data = [] } = useQuery({
    queryKey: ['events', 'paths', settled],
    queryFn: async ({ signal }) =>
      pathsIn((await newest({ name: settled, limit: ALIKE }, signal)).map(({ payload }) => payload)),
    enabled: settled !== '',
    staleTime: STALE_AFTER_MS,
  });
  return data;
}

function newest(query: QueryOf<'/events'>, signal: AbortSignal): Promise<Event[]> {
  return bodyOf(api.GET('/events', { params: { query }, signal }));
}
