import type { ProblemDetail } from '../../platform/http/problems/problem';
import { boundRange } from '../rules/parsing/bound-ranges';
import { conditionsOf, type Predicate, type SequenceField } from '../rules/predicate';
import { secondsOf } from '../rules/window';

/**
 * Times of sequences that leave nobody out, since another one says as much: that of the window, of all steps or of
 * each.
 */
export function stepWarnings(predicate: Predicate, retentionDays: number): ProblemDetail[] {
  return conditionsOf(predicate).flatMap(({ path, field }) => {
    if (field.kind !== 'sequence') return [];
    const sequence = boundRange(field, retentionDays);
    return [...warnOfSteps(sequence, path), ...warnOfAll(sequence, path)];
  });
}

function warnOfSteps(
  { steps, allWithinSeconds = Infinity, window }: SequenceField,
  path: string,
): ProblemDetail[] {
  const lastsSeconds = secondsOf(window);
  return steps.flatMap(({ withinSeconds }, at) => {
    if (withinSeconds === undefined) return [];
    const member = `${path}.sequence[${at}].within`;
    if (withinSeconds >= lastsSeconds) return [beyondWindow(member, 'step_beyond_window')];
    if (withinSeconds <= allWithinSeconds) return [];
    const message =
      'All steps together have less time than this, so it leaves nobody out: make it shorter, or leave it out.';
    return [{ path: member, code: 'step_beyond_sequence', message }];
  });
}

function warnOfAll({ steps, allWithinSeconds, window }: SequenceField, path: string): ProblemDetail[] {
  if (allWithinSeconds === undefined) return [];
  const member = `${path}.allWithin`;
  if (allWithinSeconds >= secondsOf(window)) return [beyondWindow(member, 'sequence_beyond_window')];
  const [, ...later] = steps;
  const ofStepsSeconds = later.reduce((sum, { withinSeconds = Infinity }) => sum + withinSeconds, 0);
  if (allWithinSeconds < ofStepsSeconds) return [];
  const message =
    'The times of the steps together are no longer, so it leaves nobody out: make it shorter, or leave it out.';
  return [{ path: member, code: 'sequence_beyond_steps', message }];
}

function beyondWindow(path: string, code: string): ProblemDetail {
  const message =
    'This is longer than the window of the first event, so it leaves nobody out: make it shorter, or the window longer.';
  return { path, code, message };
}
