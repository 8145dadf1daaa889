import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, bodyOf, type Dto } from '../../api/client';

export function useTransformation(id: string): UseQueryResult<Dto['TransformationDto']> {
  return useQuery({
    queryKey: ['transformations', id],
    queryFn: () => bodyOf(api.GET('/transformations/{id}', { params: { path: { id } } })),
  });
}

/** Newest first. */
export function useVersions(id: string): UseQueryResult<Dto['TransformationVersionSummaryDto'][]> {
  return useQuery({
    queryKey: ['transformations', id, 'versions'],
    queryFn: () => bodyOf(api.GET('/transformations/{id}/versions', { params: { path: { id } } })),
  });
}

/** A transformation as it was in a version, which never changes. */
export function useVersion(id: string, version: string): UseQueryResult<Dto['TransformationVersionDto']> {
  return useQuery({
    queryKey: ['transformations', id, 'versions', version],
    queryFn: () =>
      bodyOf(api.GET('/transformations/{id}/versions/{version}', { params: { path: { id, version } } })),
    staleTime: Infinity,
  });
}
