import type { InputProblems } from '../../../platform/http/input/input-problems';
import { MAX_STEPS, MAX_WITHIN_DAYS } from './limits';
import { readEventName, readEventType, readWhere } from './parse-event-test';
import type { SequenceField } from '../predicate';
import type { Absent, SequenceStep } from '../sequence';
import { hasWindow, readWindow, WINDOW_MEMBERS, type WindowInput } from './parse-window';
import type { TimeRange } from '../window';

const MEMBERS = ['sequence', 'allWithin', 'not', ...WINDOW_MEMBERS];
const STEP_MEMBERS = ['event', 'type', 'where', 'within'];
const TIME = /^(?<count>[1-9][0-9]{0,3})(?<unit>[mhd])$/;
const TIME_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** What a client wrote; each member may be anything. */
export interface SequenceInput extends WindowInput {
  readonly sequence: unknown;
  readonly allWithin?: unknown;
  readonly not?: unknown;
}

/** A rule about events one after another. */
export function readSequence(
  rule: SequenceInput,
  path: string,
  problems: InputProblems,
): SequenceField | undefined {
  problems.onlyMembers(rule, MEMBERS, path, 'unknown_member');
  const steps = readSteps(rule.sequence, `${path}.sequence`, problems);
  const absent = rule.not === undefined ? undefined : readAbsent(rule.not, `${path}.not`, problems);
  const allWithinSeconds = readAllWithin(rule, path, problems);
  const window = readWindow(rule, path, problems);
  if (!hasWindow(rule)) {
    const message =
      'Say in which days or hours the first event is, such as 30d, or from and to: events are not stored for ever.';
    problems.fail(`${path}.within`, 'missing_within', message);
  }
  if (steps === undefined || (rule.not !== undefined && absent === undefined)) return undefined;
  const count = steps.length + (absent === undefined ? 0 : 1);
  if (count < 2 || count > MAX_STEPS) {
    const message = `Must have 2 to ${MAX_STEPS} steps, what does not follow among them.`;
    return problems.fail(`${path}.sequence`, 'invalid_sequence', message);
  }
  return (
    window && {
      kind: 'sequence',
      steps: beginIn(window.range, steps),
      ...(allWithinSeconds && { allWithinSeconds }),
      ...(absent && { absent }),
      window,
    }
  );
}

/** The range is of the first event, as a window is. */
function beginIn(range: TimeRange | undefined, steps: readonly SequenceStep[]): readonly SequenceStep[] {
  return range === undefined ? steps : steps.map((step, at) => (at === 0 ? { ...step, range } : step));
}

function readSteps(steps: unknown, path: string, problems: InputProblems): SequenceStep[] | undefined {
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > MAX_STEPS) {
    const message = `Must be an array of 1 to ${MAX_STEPS} steps, each {event, where, within}.`;
    return problems.fail(path, 'invalid_sequence', message);
  }
  const read = problems.entries(steps, path, readStep);
  if (read[0]?.withinSeconds !== undefined) {
    problems.fail(`${path}[0].within`, 'not_applicable', 'Nothing is before the first step.');
  }
  return read.length === steps.length ? read : undefined;
}

function readAllWithin(
  { allWithin, sequence }: SequenceInput,
  path: string,
  problems: InputProblems,
): number | undefined {
  if (allWithin === undefined) return undefined;
  if (Array.isArray(sequence) && sequence.length === 1) {
    const message = 'One step takes no time: it is from the first step to the last.';
    return problems.fail(`${path}.allWithin`, 'not_applicable', message);
  }
  return readTime(allWithin, `${path}.allWithin`, problems);
}

function readAbsent(step: unknown, path: string, problems: InputProblems): Absent | undefined {
  const read = readStep(step, path, problems);
  if (read === undefined) return undefined;
  const { withinSeconds } = read;
  if (withinSeconds === undefined) {
    const message = 'Say in which time it does not follow, such as 1d.';
    return problems.fail(`${path}.within`, 'missing_within', message);
  }
  return { ...read, withinSeconds };
}

function readStep(step: unknown, path: string, problems: InputProblems): SequenceStep | undefined {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) {
    return problems.fail(path, 'invalid_step', 'Must be an object with event, and where or within.');
  }
  problems.onlyMembers(step, STEP_MEMBERS, path, 'unknown_member');
  const { event: name, type: ofType, where: tests, within } = step as Readonly<Record<string, unknown>>;
  const event = readEventName(name, `${path}.event`, problems);
  const type = ofType === undefined ? undefined : readEventType(ofType, `${path}.type`, problems);
  const where = readWhere(tests, `${path}.where`, problems);
  const withinSeconds = within === undefined ? undefined : readTime(within, `${path}.within`, problems);
  if (event === undefined || where === undefined || type !== ofType) return undefined;
  if (within !== undefined && withinSeconds === undefined) return undefined;
  return { event, ...(type && { type }), where, ...(withinSeconds && { withinSeconds }) };
}

function readTime(text: unknown, path: string, problems: InputProblems): number | undefined {
  const { count, unit = '' } = (typeof text === 'string' ? TIME.exec(text)?.groups : undefined) ?? {};
  const seconds = Number(count) * (TIME_SECONDS[unit] ?? Number.NaN);
  if (seconds <= MAX_WITHIN_DAYS * 86_400) return seconds;
  const message = `Must be minutes, hours or days such as 30m, 36h or 2d, at most ${MAX_WITHIN_DAYS}d.`;
  return problems.fail(path, 'invalid_within', message);
}
