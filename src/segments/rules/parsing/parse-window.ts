import { parseTimestamp } from '../../../events/parse-timestamp';
import type { InputProblems } from '../../../platform/http/input/input-problems';
import { MAX_WITHIN_DAYS, MAX_WITHIN_HOURS } from './limits';
import { parseWindow, type TimeRange, type Window, windowOfRange } from '../window';

/** The members of a rule that say when the events are. */
export const WINDOW_MEMBERS = ['within', 'from', 'to'] as const;

/** What a client wrote of when the events are. */
export interface WindowInput {
  readonly within?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Whether anything is said of when the events are. */
export function hasWindow(input: WindowInput): boolean {
  return WINDOW_MEMBERS.some((name) => input[name] !== undefined);
}

/** The last days or hours, or a range. Undefined for nothing, which is for the caller to say, and for what is wrong. */
export function readWindow(input: WindowInput, path: string, problems: InputProblems): Window | undefined {
  const { within, from, to } = input;
  if (from === undefined && to === undefined) {
    return within === undefined ? undefined : readWithin(within, `${path}.within`, problems);
  }
  if (within !== undefined) {
    return problems.fail(`${path}.within`, 'not_applicable', 'from and to stand in the place of within.');
  }
  const range = readRange(input, path, problems);
  return range && windowOfRange(range);
}

function readWithin(within: unknown, path: string, problems: InputProblems): Window | undefined {
  const message = `Must be days such as 30d, at most ${MAX_WITHIN_DAYS}d, or hours such as 36h, at most ${MAX_WITHIN_HOURS}h.`;
  return parseWindow(within) ?? problems.fail(path, 'invalid_within', message);
}

function readRange({ from, to }: WindowInput, path: string, problems: InputProblems): TimeRange | undefined {
  const fromMs = from === undefined ? undefined : readInstant(from, `${path}.from`, problems);
  const toMs = to === undefined ? undefined : readInstant(to, `${path}.to`, problems);
  if (fromMs === 'wrong' || toMs === 'wrong') return undefined;
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs) {
    const message = 'Must be after from: events at this time are not in the range any more.';
    return problems.fail(`${path}.to`, 'empty_range', message);
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

function readInstant(text: unknown, path: string, problems: InputProblems): number | 'wrong' {
  const ms = typeof text === 'string' ? parseTimestamp(text) : undefined;
  if (ms !== undefined) return ms;
  problems.fail(path, 'invalid_time', 'Must be a date or a time such as 2026-11-01 or 2026-11-01T12:00:00Z.');
  return 'wrong';
}
