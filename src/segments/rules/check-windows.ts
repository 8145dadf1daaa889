import { InvalidRequestError, type ProblemDetail } from '../../platform/http/problems/problem';
import { conditionsOf, type Predicate } from './predicate';
import { UNIT_SECONDS, type Window } from './window';

/**
 * Refuses windows over stored events that reach further back than events are kept: what they find would change when
 * events are dropped, and nobody would be looked at then. The day or hour that a window begins in counts too.
 * @throws InvalidRequestError
 */
export function checkWindows(predicate: Predicate, retentionDays: number): void {
  const errors = windowProblems(predicate, retentionDays);
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/** The windows that are refused. */
export function windowProblems(predicate: Predicate, retentionDays: number): ProblemDetail[] {
  return conditionsOf(predicate).flatMap(({ path, field }) => {
    if (field.kind !== 'measure' && field.kind !== 'sequence') return [];
    const refused = refuseWindow(field.window, retentionDays);
    return refused === undefined ? [] : { path: `${path}.within`, ...refused };
  });
}

/** What is wrong with a window over stored events. Ranges get older than these by themselves, see `boundRanges`. */
export function refuseWindow(
  { count, unit, range }: Window,
  retentionDays: number,
): { readonly code: string; readonly message: string } | undefined {
  if (range !== undefined) return undefined;
  if ((count * UNIT_SECONDS[unit]) / UNIT_SECONDS.day < retentionDays) return undefined;
  const message = `Events are kept for ${retentionDays} days, so what is in them is looked for in less than ${retentionDays}d.`;
  return { code: 'window_beyond_retention', message };
}
