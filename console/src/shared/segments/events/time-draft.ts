export type TimeUnit = 'd' | 'h' | 'm';

/** So much time, while it is written; nothing is no bound. */
export interface TimeDraft {
  readonly count: string;
  readonly unit: TimeUnit;
}

/** In which units a time can be said, and how many of each it may be. */
export type TimeLimits = Readonly<Partial<Record<TimeUnit, number>>>;

/** Of a window that events are in; the service has the same. */
export const WINDOW_LIMITS: TimeLimits = { d: 3_650, h: 720 };
/** Of the time between the events of two steps: ten years, or four digits. */
export const STEP_LIMITS: TimeLimits = { d: 3_650, h: 9_999, m: 9_999 };

export const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = { d: 'days', h: 'hours', m: 'minutes' };

export const NO_TIME: TimeDraft = { count: '', unit: 'd' };

const TIME = /^([1-9][0-9]{0,3})([dhm])$/;

/** Such as `30d`; left out it is no bound. Undefined when it is no time within the limits. */
export function readTime(text: unknown, limits: TimeLimits): TimeDraft | undefined {
  if (text === undefined) return NO_TIME;
  const [, count, unit] = (typeof text === 'string' ? TIME.exec(text) : null) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const time = { count, unit: unit as TimeUnit };
  return timeProblem(time, limits) === undefined ? time : undefined;
}

/** As a member of a rule or step, which has none where nothing is written; undefined while it is no time. */
export function writeTime(time: TimeDraft, limits: TimeLimits): { readonly within?: string } | undefined {
  if (timeProblem(time, limits) !== undefined) return undefined;
  return time.count === '' ? {} : { within: `${Number(time.count)}${time.unit}` };
}

/** What keeps what is written from being a time: for people. */
export function timeProblem({ count, unit }: TimeDraft, limits: TimeLimits): string | undefined {
  if (count === '') return undefined;
  const most = limits[unit] ?? 0;
  return Number(count) >= 1 && Number(count) <= most ? undefined : `1 to ${most} ${UNIT_WORDS[unit]}.`;
}

/** Whether a time is written that may be, or none where none is needed. */
export function isTime(time: TimeDraft, limits: TimeLimits, isNeeded: boolean): boolean {
  return timeProblem(time, limits) === undefined && !(isNeeded && time.count === '');
}
