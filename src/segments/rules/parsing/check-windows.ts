import { InvalidRequestError, type ProblemDetail } from '../../../platform/http/problems/problem';
import { boundRange } from './bound-ranges';
import { conditionsOf, type Predicate, type SequenceField } from '../predicate';
import { secondsOf, UNIT_SECONDS, type Window } from '../window';

/**
 * Refuses windows over stored events that reach further back than events are kept: what they find would change when
 * events are dropped, and nobody would be looked at then. The day or hour that a window begins in counts too. And
 * sequences that nobody can ever have, see `refuseAbsence`.
 * @throws InvalidRequestError
 */
export function checkWindows(predicate: Predicate, retentionDays: number): void {
  const errors = windowProblems(predicate, retentionDays);
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/** What is refused of them. */
export function windowProblems(predicate: Predicate, retentionDays: number): ProblemDetail[] {
  return conditionsOf(predicate).flatMap(({ path, field }) => {
    if (field.kind !== 'measure' && field.kind !== 'sequence') return [];
    const refused = refuseWindow(field.window, retentionDays);
    if (refused !== undefined) return { path: `${path}.within`, ...refused };
    return field.kind === 'sequence' ? refuseAbsence(field, path, retentionDays) : [];
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

/** The first event has left the window, at the latest, when the time of `not` is over: nobody has the sequence then. */
function refuseAbsence(field: SequenceField, path: string, retentionDays: number): ProblemDetail[] {
  const { absent } = field;
  const { window } = boundRange(field, retentionDays);
  if (absent === undefined || absent.withinSeconds < secondsOf(window)) return [];
  const message = `Nobody can have this sequence: its first event is looked for in the last ${window.count} ${window.unit}s, and has left them before the time of not is over. Make that shorter, or the window longer.`;
  return [{ path: `${path}.not.within`, code: 'sequence_never_holds', message }];
}
