import type { EventTest } from './event-test';
import type { Window } from './window';

/** One event of a sequence. */
export interface SequenceStep extends EventTest {
  /** So many seconds after the event of the step before at most; undefined: at any time after it. */
  readonly withinSeconds?: number;
}

/** What does not follow, and in which time. */
export interface Absent extends SequenceStep {
  readonly withinSeconds: number;
}

/** Events of a person one after another, by their time and, of the same instant, by their id. */
export interface Sequence {
  readonly steps: readonly SequenceStep[];
  /** So many seconds from the event of the first step to that of the last at most; undefined: any time. */
  readonly allWithinSeconds?: number;
  /** What does not come in its time after the event of the last step: it is one when that time is over. */
  readonly absent?: Absent;
  /** The event of the first step is in it. */
  readonly window: Window;
}

/** A time in which a person has the sequence, as the stored events are: milliseconds since 1970. */
export interface Span {
  /** `-Infinity`: since ever. */
  readonly fromMs: number;
  /** Not in it any more. */
  readonly toMs: number;
}

/** The steps, and what is not to come, each with where it stands in the rule. */
export function partsOf({
  steps,
  absent,
}: Pick<Sequence, 'steps' | 'absent'>): [path: string, step: SequenceStep][] {
  const parts = steps.map((step, at): [string, SequenceStep] => [`sequence[${at}]`, step]);
  return absent === undefined ? parts : [...parts, ['not', absent]];
}

/** The names of all events that matter. */
export function namesIn(sequence: Sequence): string[] {
  return [...new Set(partsOf(sequence).map(([, { event }]) => event))];
}

/** Equal for sequences that are the same, whichever segments ask for them. */
export function sequenceKey({ steps, allWithinSeconds, absent, window }: Sequence): string {
  const said = ({ event, type, where, range, withinSeconds }: SequenceStep): unknown[] => [
    event,
    type ?? null,
    where,
    range ?? null,
    withinSeconds ?? null,
  ];
  return JSON.stringify([
    steps.map(said),
    allWithinSeconds ?? null,
    absent === undefined ? null : said(absent),
    window.unit,
    window.count,
  ]);
}
