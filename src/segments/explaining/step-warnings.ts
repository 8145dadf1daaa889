import type { ProblemDetail } from '../../platform/http/problems/problem';
import { boundRange } from '../rules/bound-ranges';
import { conditionsOf, type Predicate } from '../rules/predicate';
import { secondsOf } from '../rules/window';

/** Steps of sequences with more time than the window of the first event lasts: they leave nobody out. */
export function stepWarnings(predicate: Predicate, retentionDays: number): ProblemDetail[] {
  return conditionsOf(predicate).flatMap(({ path, field }) => {
    if (field.kind !== 'sequence') return [];
    const lastsSeconds = secondsOf(boundRange(field, retentionDays).window);
    return field.steps.flatMap(({ withinSeconds }, at) => {
      if (withinSeconds === undefined || withinSeconds < lastsSeconds) return [];
      const message =
        'This is longer than the window of the first event, so it leaves nobody out: make it shorter, or the window longer.';
      return [{ path: `${path}.sequence[${at}].within`, code: 'step_beyond_window', message }];
    });
  });
}
