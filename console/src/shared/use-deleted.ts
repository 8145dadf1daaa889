import { useQueryClient } from '@tanstack/react-query';
import { useGoOn } from './unsaved';

/**
 * To be called with the id of what was deleted: leads to the listing of its kind, which is asked for again. The page
 * that is left is not: nothing is there any more.
 */
export function useDeleted(
  kind: 'computed-traits' | 'destinations' | 'segments' | 'sources' | 'tracking-plans' | 'transformations',
): (id: string) => void {
  const queries = useQueryClient();
  const goOn = useGoOn();
  return (id) => {
    goOn(`/${kind}`);
    queries.removeQueries({ queryKey: [kind, id] });
    void queries.invalidateQueries({ queryKey: [kind] });
  };
}
