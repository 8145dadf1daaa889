import { newKey } from '../../../shared/new-key';
import {
  type EventTest,
  type EventTestDraft,
  missingInEventTest,
  NO_TEST,
  readEventTest,
  writeEventTest,
} from '../../../shared/segments/events/event-test-draft';
import {
  ABSENT_LABEL,
  INNER_LABELS,
  LABELS,
  labelsInside,
  PARTS,
} from '../../../shared/segments/field-labels';
import {
  isTime,
  NO_TIME,
  readTime,
  STEP_LIMITS,
  type TimeDraft,
  writeTime,
} from '../../../shared/segments/events/time-draft';
import {
  hasWindow,
  missingInWindow,
  NO_WINDOW,
  readWindow,
  type Window,
  type WindowDraft,
  writeWindow,
} from '../../../shared/segments/events/window-draft';

/** One event of a sequence, while it is written. */
export interface StepDraft extends EventTestDraft {
  readonly key: string;
  /** So long after the step before at most; the first step has none. */
  readonly within: TimeDraft;
}

/** Events one after another, while they are written. */
export interface SequenceDraft {
  readonly key: string;
  readonly steps: readonly StepDraft[];
  /** So long from the first of them to the last at most; nothing where there is one. */
  readonly allWithin: TimeDraft;
  /** What does not follow. */
  readonly absent: StepDraft | undefined;
  /** The window that the first of them is in. */
  readonly window: WindowDraft;
}

interface Step extends EventTest {
  readonly event: string;
  readonly within?: string;
}

/** A sequence as the API takes it. */
interface Sequence extends Window {
  readonly sequence: readonly Step[];
  readonly allWithin?: string;
  readonly not?: Step;
}

/** Steps of a sequence, as the service takes them; what does not follow is one of them. */
export const MAX_STEPS = 5;
export const MIN_STEPS = 2;

type Members = Readonly<Record<string, unknown>>;

export function newStep(): StepDraft {
  return { key: newKey(), ...NO_TEST, within: NO_TIME };
}

export function newSequence(): SequenceDraft {
  const steps = [newStep(), newStep()];
  return { key: newKey(), steps, allWithin: NO_TIME, absent: undefined, window: NO_WINDOW };
}

export function stepsIn({ steps, absent }: Pick<SequenceDraft, 'steps' | 'absent'>): number {
  return steps.length + (absent === undefined ? 0 : 1);
}

/** The sequence with other steps. Nothing is before the one that is the first now, and one alone takes no time. */
export function changeSteps(sequence: SequenceDraft, steps: readonly StepDraft[]): SequenceDraft {
  const timed = steps.map((step, at) => (at === 0 ? { ...step, within: NO_TIME } : step));
  return { ...sequence, steps: timed, ...(steps.length === 1 && { allWithin: NO_TIME }) };
}

/** Undefined when it is none of the language. */
export function readSequence({
  sequence,
  allWithin,
  not,
  within,
  from,
  to,
  ...others
}: Members): SequenceDraft | undefined {
  if (!Array.isArray(sequence) || Object.keys(others).length > 0) return undefined;
  const steps = sequence.map(readStep);
  const absent = not === undefined ? undefined : readStep(not);
  const time = readTime(allWithin, STEP_LIMITS);
  const window = readWindow({ within, from, to });
  if (!steps.every((step) => step !== undefined) || time === undefined || window === undefined)
    return undefined;
  if (steps.length === 0 || (not !== undefined && absent === undefined)) return undefined;
  return { key: newKey(), steps, allWithin: time, absent, window };
}

function readStep(step: unknown): StepDraft | undefined {
  if (typeof step !== 'object' || step === null) return undefined;
  const { event, type, where, within: time, ...others } = step as Members;
  if (Object.keys(others).length > 0) return undefined;
  const test = readEventTest({ event, type, where });
  const within = readTime(time, STEP_LIMITS);
  return test && within && { key: newKey(), ...test, within };
}

/** Undefined while something is missing. */
export function writeSequence(draft: SequenceDraft): Sequence | undefined {
  const steps = draft.steps.map(writeStep);
  const absent = draft.absent && writeStep(draft.absent);
  const time = writeTime(draft.allWithin, STEP_LIMITS);
  const window = writeWindow(draft.window) ?? {};
  if (!steps.every((step) => step !== undefined) || !hasWindow(window)) return undefined;
  if (stepsIn(draft) < MIN_STEPS || stepsIn(draft) > MAX_STEPS) return undefined;
  if (time === undefined || (draft.absent !== undefined && absent?.within === undefined)) return undefined;
  const allWithin = time.within;
  return { sequence: steps, ...(allWithin && { allWithin }), ...(absent && { not: absent }), ...window };
}

function writeStep({ within, ...test }: StepDraft): Step | undefined {
  const { event, ...events } = writeEventTest(test) ?? {};
  const time = writeTime(within, STEP_LIMITS);
  return event === undefined ? undefined : time && { event, ...events, ...time };
}

/** The fields without which `writeSequence` has no sequence. */
export function missingInSequence(draft: SequenceDraft): string[] {
  const { steps, allWithin, absent, window } = draft;
  const count = stepsIn(draft);
  return [
    ...steps.flatMap((step, index) => labelsInside(PARTS.sequence(index), missingInStep(step, false))),
    ...(absent === undefined ? [] : labelsInside(ABSENT_LABEL, missingInStep(absent, true))),
    ...(isTime(allWithin, STEP_LIMITS, false) ? [] : [LABELS.allWithin]),
    ...(count < MIN_STEPS ? ['another step, or what does not follow'] : []),
    ...(count > MAX_STEPS ? [`not more than ${MAX_STEPS} steps`] : []),
    ...missingInWindow(window, true),
  ];
}

function missingInStep(step: StepDraft, isTimeNeeded: boolean): string[] {
  const isTimed = isTime(step.within, STEP_LIMITS, isTimeNeeded);
  return [...missingInEventTest(step, true), ...(isTimed ? [] : [INNER_LABELS.within])];
}
