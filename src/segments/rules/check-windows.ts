import { InvalidRequestError } from '../../platform/http/problem';
import { conditionsOf, type Predicate } from './predicate';
import { UNIT_SECONDS } from './window';

/**
 * Refuses windows over stored events that reach further back than events are kept: what they find would change when
 * events are dropped, and nobody would be looked at then. The day or hour that a window begins in counts too.
 * @throws InvalidRequestError
 */
export function checkWindows(predicate: Predicate, retentionDays: number): void {
  const errors = conditionsOf(predicate).flatMap(({ path, field }) => {
    if (field.kind !== 'measure' && field.kind !== 'sequence') return [];
    const { count, unit } = field.window;
    if ((count * UNIT_SECONDS[unit]) / UNIT_SECONDS.day < retentionDays) return [];
    const message = `Events are kept for ${retentionDays} days, so a rule about what is in them looks back less than ${retentionDays}d.`;
    return { path: `${path}.within`, code: 'window_beyond_retention', message };
  });
  if (errors.length > 0) throw new InvalidRequestError(errors);
}
