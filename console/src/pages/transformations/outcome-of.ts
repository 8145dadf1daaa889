import type { Dto } from '../../api/client';

/** What became of an event that was tried. */
export type Outcome = 'changed' | 'same' | 'not_sent' | 'fails';

export function outcomeOf({ after, error }: Pick<Dto['TriedEventDto'], 'after' | 'error'>): Outcome {
  if (error !== undefined) return 'fails';
  if (after.length === 0) return 'not_sent';
  return after.length === 1 && after[0]?.changes.length === 0 ? 'same' : 'changed';
}
