import { MAX_WITHIN_DAYS, MAX_WITHIN_HOURS } from './limits';

export type WindowUnit = 'day' | 'hour';

/** How far a rule looks back: so many whole days or hours of UTC, and the one under way. */
export interface Window {
  readonly unit: WindowUnit;
  readonly count: number;
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

/** The first step of a window: days, or hours, since 1970. */
export function firstStepOf({ unit, count }: Window, nowMs: number): number {
  return Math.floor(nowMs / (UNIT_SECONDS[unit] * 1_000)) - count;
}

/** When a window begins: milliseconds since 1970. */
export function beginOfWindowMs(window: Window, nowMs: number): number {
  return firstStepOf(window, nowMs) * UNIT_SECONDS[window.unit] * 1_000;
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
