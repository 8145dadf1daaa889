import { MAX_WITHIN_DAYS } from './limits';
import type { Condition, MeasureField, Predicate, SequenceField } from '../predicate';

/**
 * The predicate with ranges that look as far back as a window may. So their events have left, and people were looked at
 * again, before they are dropped.
 * @param retentionDays for which events are kept
 */
export function boundRanges(predicate: Predicate, retentionDays: number): Predicate {
  switch (predicate.kind) {
    case 'condition':
      return boundCondition(predicate, retentionDays);
    case 'not':
      return { kind: 'not', of: boundRanges(predicate.of, retentionDays) };
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((part) => boundRanges(part, retentionDays)) };
  }
}

/** The same of what one rule looks at, or of a computed trait. */
export function boundRange<F extends MeasureField | SequenceField>(field: F, retentionDays: number): F {
  const { window } = field;
  if (window.range === undefined) return field;
  return { ...field, window: { ...window, count: Math.min(retentionDays - 1, MAX_WITHIN_DAYS) } };
}

function boundCondition(condition: Condition, retentionDays: number): Condition {
  const { field } = condition;
  return field.kind === 'measure' || field.kind === 'sequence'
    ? { ...condition, field: boundRange(field, retentionDays) }
    : condition;
}
