import type { ProblemDetail } from '../../platform/http/problems/problem';
import { boundRanges } from '../rules/bound-ranges';
import { conditionsOf, type Predicate } from '../rules/predicate';
import { beginOfWindowMs } from '../rules/window';

/** Ranges of which a part, or all, is from before the events that are looked at. */
export function rangeWarnings(predicate: Predicate, retentionDays: number, nowMs: number): ProblemDetail[] {
  return conditionsOf(boundRanges(predicate, retentionDays)).flatMap(({ path, field }) => {
    if (field.kind !== 'measure' && field.kind !== 'sequence') return [];
    const { unit, count, range } = field.window;
    if (range === undefined) return [];
    const { fromMs = Infinity, toMs = Infinity } = range;
    const beginMs = beginOfWindowMs({ unit, count }, nowMs);
    if (Math.min(fromMs, toMs) >= beginMs) return [];
    const since = new Date(beginMs).toISOString().slice(0, 10);
    const message = `Events are kept for ${retentionDays} days: of this range only what is since ${since} counts today, and less every day.`;
    return [{ path, code: 'range_beyond_retention', message }];
  });
}
