import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto, type ListPage, pageOf } from './client';

/** The most that one page of a listing has: as many as there may be of some things. */
const ALL = { params: { query: { limit: 1_000 } } };

/** The sources, to choose from and to call by their names. */
export function useSources(): UseQueryResult<Dto['SourceDto'][]> {
  return useQuery({
    queryKey: ['sources', 'all'],
    queryFn: () =>
      everyRow((cursor) => pageOf(api.GET('/sources', { params: { query: { limit: 1_000, cursor } } }))),
  });
}

export function useDestinations(): UseQueryResult<Dto['DestinationDto'][]> {
  return useQuery({
    queryKey: ['destinations', 'all'],
    queryFn: () =>
      everyRow((cursor) => pageOf(api.GET('/destinations', { params: { query: { limit: 1_000, cursor } } }))),
  });
}

export function useSegments(): UseQueryResult<Dto['SegmentDto'][]> {
  return useQuery({
    queryKey: ['segments', 'all'],
    queryFn: () =>
      everyRow((cursor) => pageOf(api.GET('/segments', { params: { query: { limit: 1_000, cursor } } }))),
  });
}

export function useComputedTraits(): UseQueryResult<Dto['ComputedTraitDto'][]> {
  return useQuery({
    queryKey: ['computed-traits', 'all'],
    queryFn: () => bodyOf(api.GET('/computed-traits', ALL)),
  });
}

export function useTransformations(): UseQueryResult<Dto['TransformationSummaryDto'][]> {
  return useQuery({
    queryKey: ['transformations', 'all'],
    queryFn: () => bodyOf(api.GET('/transformations', ALL)),
  });
}

export function useTrackingPlans(): UseQueryResult<Dto['TrackingPlanSummaryDto'][]> {
  return useQuery({
    queryKey: ['tracking-plans', 'all'],
    queryFn: () => bodyOf(api.GET('/tracking-plans', ALL)),
  });
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The name of what has this id; the id while that is not known, and when it was deleted. */
export function nameOf(all: readonly Named[] | undefined, wanted: string): string {
  return all?.find(({ id }) => id === wanted)?.name ?? wanted;
}

/** The rows of all pages of a listing: who chooses, or calls something by its name, is to find each of them. */
export async function everyRow<Row>(
  loadPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
): Promise<Row[]> {
  let page = await loadPage(undefined);
  const rows = [...page.rows];
  while (page.nextCursor !== undefined) {
    page = await loadPage(page.nextCursor);
    rows.push(...page.rows);
  }
  return rows;
}
