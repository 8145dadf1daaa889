import { LABELS } from '../field-labels';
import { isTime, NO_TIME, readTime, type TimeDraft, WINDOW_LIMITS, writeTime } from './time-draft';

/** When events are, while it is written: in the last days or hours, or in a range of time. */
export interface WindowDraft {
  readonly kind: 'last' | 'range';
  readonly time: TimeDraft;
  /** The ends of a range as people write them: ISO 8601. One of the two may be left out. */
  readonly from: string;
  readonly to: string;
}

/** The same as members of a rule. */
export interface Window {
  readonly within?: string;
  readonly from?: string;
  readonly to?: string;
}

export const WINDOW_MEMBERS = ['within', 'from', 'to'];

export const NO_WINDOW: WindowDraft = { kind: 'last', time: NO_TIME, from: '', to: '' };

/** Undefined when the members are none of the language. */
export function readWindow({
  within,
  from = '',
  to = '',
}: Readonly<Record<string, unknown>>): WindowDraft | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (from !== '' || to !== '')
    return within === undefined ? { ...NO_WINDOW, kind: 'range', from, to } : undefined;
  const time = readTime(within, WINDOW_LIMITS);
  return time && { ...NO_WINDOW, time };
}

/** Without members where nothing is said of the time; undefined while it is no window. */
export function writeWindow({ kind, time, from, to }: WindowDraft): Window | undefined {
  if (kind === 'last') return writeTime(time, WINDOW_LIMITS);
  if (from === '' && to === '') return undefined;
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}

/** The fields that are missing, where something has to be said of the time or may be. */
export function missingInWindow({ kind, time, from, to }: WindowDraft, isNeeded: boolean): string[] {
  if (kind === 'range') return from === '' && to === '' ? [`${LABELS.from} or ${LABELS.to}`] : [];
  return isTime(time, WINDOW_LIMITS, isNeeded) ? [] : [LABELS.within];
}

/** Whether it is said when the events are. */
export function hasWindow(window: Window): boolean {
  return Object.keys(window).length > 0;
}

/** Whether profiles have no counts of it: they have those of the last days. */
export function needsStoredEvents({ kind, time }: WindowDraft): boolean {
  return kind === 'range' || (time.count !== '' && time.unit === 'h');
}
