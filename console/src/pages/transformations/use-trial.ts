import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { api, type Dto, exactBodyOf } from '../../api/client';

/** What a code makes of the newest events. */
export type Trial = UseMutationResult<Dto['TransformationTrialDto'], Error, Dto['TestTransformationDto']>;

export function useTrial(): Trial {
  return useMutation({
    mutationFn: (body) =>
      exactBodyOf<Dto['TransformationTrialDto']>(
        api.POST('/transformations/test', { body, parseAs: 'text' }),
      ),
  });
}
