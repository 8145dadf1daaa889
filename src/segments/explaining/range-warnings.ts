import type { ProblemDetail } from '../../platform/http/problems/problem';
import { boundRange, boundRanges } from '../rules/parsing/bound-ranges';
import { type MeasureDefinition, parseDefinition } from '../rules/named-measures';
import { conditionsOf, type Predicate } from '../rules/predicate';
import { beginOfWindowMs, type Window } from '../rules/window';

/** Ranges of which a part, or all, is from before the events that are looked at. */
export function rangeWarnings(predicate: Predicate, retentionDays: number, nowMs: number): ProblemDetail[] {
  return conditionsOf(boundRanges(predicate, retentionDays)).flatMap(({ path, field }) => {
    if (field.kind !== 'measure' && field.kind !== 'sequence') return [];
    const warning = warnOfRange(field.window, retentionDays, nowMs);
    return warning === undefined ? [] : { path, ...warning };
  });
}

/** The same of a computed trait: the warning has the name of the member as its path. */
export function definitionWarnings(
  definition: MeasureDefinition,
  retentionDays: number,
  nowMs: number,
): ProblemDetail[] {
  const parsed = parseDefinition(definition);
  if (!parsed.ok) return [];
  const { window } = boundRange(parsed.field, retentionDays);
  const warning = warnOfRange(window, retentionDays, nowMs);
  const path = window.range?.fromMs === undefined ? 'to' : 'from';
  return warning === undefined ? [] : [{ path, ...warning }];
}

function warnOfRange(
  { unit, count, range }: Window,
  retentionDays: number,
  nowMs: number,
): { readonly code: string; readonly message: string } | undefined {
  if (range === undefined) return undefined;
  const { fromMs = Infinity, toMs = Infinity } = range;
  const beginMs = beginOfWindowMs({ unit, count }, nowMs);
  if (Math.min(fromMs, toMs) >= beginMs) return undefined;
  const since = new Date(beginMs).toISOString().slice(0, 10);
  const message = `Events are kept for ${retentionDays} days: of this range only what is since ${since} counts today, and less every day.`;
  return { code: 'range_beyond_retention', message };
}
