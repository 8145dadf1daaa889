import type { SqlValues } from '../../language/sql-values';
import { timestampToSql } from '../../language/timestamp-to-sql';
import { MAX_WITHIN_DAYS, MAX_WITHIN_HOURS } from './parsing/limits';

export type WindowUnit = 'day' | 'hour';

/** How far a rule looks back: so many whole days or hours of UTC, and the one under way. */
export interface Window {
  readonly unit: WindowUnit;
  readonly count: number;
  /** What was written in its place; what the window itself says is only how far back events are looked at. */
  readonly range?: TimeRange;
}

/** A time that stands still: milliseconds since 1970. One of the two is there. */
export interface TimeRange {
  /** In it. */
  readonly fromMs?: number;
  /** Not in it any more. */
  readonly toMs?: number;
}

export const UNIT_SECONDS: Readonly<Record<WindowUnit, number>> = { day: 86_400, hour: 3_600 };

const WITHIN = /^(?<count>[1-9][0-9]{0,3})(?<unit>[dh])$/;

/** What a client writes: `30d`, `36h`. Undefined for anything else, and for what is too long. */
export function parseWindow(text: unknown): Window | undefined {
  const { count: digits, unit } = (typeof text === 'string' ? WITHIN.exec(text)?.groups : undefined) ?? {};
  const count = Number(digits);
  if (unit === 'd' && count <= MAX_WITHIN_DAYS) return { unit: 'day', count };
  return unit === 'h' && count <= MAX_WITHIN_HOURS ? { unit: 'hour', count } : undefined;
}

/** As far back as there may be events; `boundRanges` says how far back they are kept. */
export function windowOfRange(range: TimeRange): Window {
  return { unit: 'day', count: MAX_WITHIN_DAYS, range };
}

/** How long an event may be in a window: with the day or hour that is under way. */
export function secondsOf({ unit, count }: Window): number {
  return (count + 1) * UNIT_SECONDS[unit];
}

/** The first step of a window: days, or hours, since 1970. */
export function firstStepOf({ unit, count, range }: Window, nowMs: number): number {
  const stepOf = (ms: number): number => Math.floor(ms / (UNIT_SECONDS[unit] * 1_000));
  return Math.max(stepOf(nowMs) - count, stepOf(range?.fromMs ?? -Infinity));
}

/** When a window begins: milliseconds since 1970. */
export function beginOfWindowMs(window: Window, nowMs: number): number {
  return firstStepOf(window, nowMs) * UNIT_SECONDS[window.unit] * 1_000;
}

/** The same in SQL, a timestamptz; `now` is an expression of that type. */
export function beginOfWindowSql({ unit, count, range }: Window, now: string, values: SqlValues): string {
  const begin = beginOfStepSql(`${stepSql(now, unit)} - ${values.add(count, 'integer')}`, unit);
  if (range?.fromMs === undefined) return begin;
  return `greatest(${begin}, ${values.add(timestampToSql(range.fromMs), 'timestamptz')})`;
}

/** When a step leaves the window: milliseconds since 1970. */
export function leavesAtMs(step: number, { unit, count }: Window): number {
  return (step + count + 1) * UNIT_SECONDS[unit] * 1_000;
}

/** Which step a time is in, an SQL expression of a timestamptz. */
export function stepSql(timestamp: string, unit: WindowUnit): string {
  return `floor(extract(epoch from ${timestamp}) / ${UNIT_SECONDS[unit]})::integer`;
}

/** When a step begins, a timestamptz. */
export function beginOfStepSql(step: string, unit: WindowUnit): string {
  return `to_timestamp((${step})::float8 * ${UNIT_SECONDS[unit]})`;
}
