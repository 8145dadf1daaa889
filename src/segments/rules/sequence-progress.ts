import type { Absent, Sequence } from './sequence';
import type { ProgressRow } from './sql/sequence-progress-to-sql';
import { beginOfWindowMs, type Window } from './window';

export const STOP_REASONS = [
  'waiting',
  'never_came',
  'too_late',
  'followed',
  'window_ends_first',
  'before_window',
  'after_window',
] as const;
/** Why somebody came no further; `docs/segments.md` says what each means. */
export type StopReason = (typeof STOP_REASONS)[number];

interface SeenEvent {
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** What keeps somebody from having a sequence. */
interface Stop {
  readonly reason: StopReason;
  /** Of which step, by its place in the rule: `sequence[1]`, or `not`. */
  readonly step: string;
  /** The time that decides it, ISO 8601. */
  readonly limit?: string;
  /** The member of the rule that sets this time; none where it is how long events are kept. */
  readonly limitedBy?: string;
  /** What came too late, or in the time in which it must not. */
  readonly event?: SeenEvent;
}

/** How far somebody came along a sequence. */
export interface SequenceProgress {
  /** One of each step that was reached, in order. */
  readonly events: readonly (SeenEvent & { readonly step: string })[];
  /** Undefined where the person has the sequence. */
  readonly stop?: Stop;
}

/** A time, and the member that sets it. */
interface Limit {
  readonly ms: number;
  readonly by: string | undefined;
}

/** Of a way that begins in the window. */
export function progressInWindow(sequence: Sequence, row: ProgressRow, nowMs: number): SequenceProgress {
  const { steps, absent } = sequence;
  const events = eventsOf(row);
  if (row.holds) return { events };
  const isWhole = events.length === steps.length && absent !== undefined;
  return { events, stop: isWhole ? stopAtNot(absent, sequence, row) : stopAtStep(sequence, row, nowMs) };
}

/** Of somebody who has no first event in the window: of a way that begins before or after it, if there is one. */
export function progressOutside(
  { window }: Sequence,
  row: ProgressRow | undefined,
  nowMs: number,
): SequenceProgress {
  const step = pathOfStep(0);
  const [first] = row?.times ?? [];
  if (row === undefined || first === undefined) return { events: [], stop: { reason: 'never_came', step } };
  const events = eventsOf(row);
  const toMs = window.range?.toMs ?? Infinity;
  if (first.getTime() < toMs) {
    const begin = beginOf(window, first, nowMs);
    return { events, stop: { reason: 'before_window', step, ...limitOf(begin) } };
  }
  return { events, stop: { reason: 'after_window', step, ...limitOf({ ms: toMs, by: 'to' }) } };
}

/** The next step did not come, or not in time. */
function stopAtStep(sequence: Sequence, row: ProgressRow, nowMs: number): Stop {
  const next = row.times.length;
  const step = pathOfStep(next);
  const limit = earliest([...timesOf(sequence, row), leaves(sequence.window, row)]);
  const event = nextOf(row);
  if (nowMs <= limit.ms) return { reason: 'waiting', step, ...limitOf(limit) };
  if (event === undefined) return { reason: 'never_came', step, ...limitOf(limit) };
  return { reason: 'too_late', step, ...limitOf(limit), event };
}

/** All steps are there, and what must not follow decides. */
function stopAtNot({ withinSeconds }: Absent, { window }: Sequence, row: ProgressRow): Stop {
  const step = 'not';
  const limit = { ms: lastMs(row) + withinSeconds * 1_000, by: 'not.within' };
  const event = nextOf(row);
  if (row.isFollowed && event !== undefined) return { reason: 'followed', step, ...limitOf(limit), event };
  const left = leaves(window, row);
  return left.ms <= limit.ms
    ? { reason: 'window_ends_first', step, ...limitOf(left) }
    : { reason: 'waiting', step, ...limitOf(limit) };
}

/** Until when the next step has to come, by its own time and by that of all steps. */
function timesOf({ steps, allWithinSeconds }: Sequence, row: ProgressRow): Limit[] {
  const next = row.times.length;
  const { withinSeconds } = steps[next] ?? {};
  const [first] = row.times;
  return [
    ...(withinSeconds === undefined
      ? []
      : [{ ms: lastMs(row) + withinSeconds * 1_000, by: `${pathOfStep(next)}.within` }]),
    ...(allWithinSeconds === undefined || first === undefined
      ? []
      : [{ ms: first.getTime() + allWithinSeconds * 1_000, by: 'allWithin' }]),
  ];
}

function earliest([first, ...others]: readonly [...Limit[], Limit]): Limit {
  return others.reduce((least, limit) => (limit.ms < least.ms ? limit : least), first);
}

/** When the first event leaves the window, which nothing can come after. */
function leaves({ range }: Window, { leavesAt }: ProgressRow): Limit {
  return { ms: leavesAt.getTime(), by: range === undefined ? 'within' : undefined };
}

/** The begin of the range, or of what is still looked at. */
function beginOf(window: Window, first: Date, nowMs: number): Limit {
  const { range } = window;
  if (range?.fromMs !== undefined && first.getTime() < range.fromMs) return { ms: range.fromMs, by: 'from' };
  return { ms: beginOfWindowMs(window, nowMs), by: range === undefined ? 'within' : undefined };
}

function limitOf({ ms, by }: Limit): Pick<Stop, 'limit' | 'limitedBy'> {
  return { limit: new Date(ms).toISOString(), ...(by !== undefined && { limitedBy: by }) };
}

function eventsOf({ ids, times }: ProgressRow): SequenceProgress['events'] {
  return times.map((at, step) => ({
    step: pathOfStep(step),
    id: ids[step] ?? '',
    timestamp: at.toISOString(),
  }));
}

function nextOf({ nextId, nextAt }: ProgressRow): SeenEvent | undefined {
  return nextId === null || nextAt === null ? undefined : { id: nextId, timestamp: nextAt.toISOString() };
}

function lastMs({ times }: ProgressRow): number {
  return times.at(-1)?.getTime() ?? Number.NaN;
}

function pathOfStep(step: number): string {
  return `sequence[${step}]`;
}
