/** A receiver may put a delivery off, but for no longer than a day. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** How all forms of an HTTP date begin. What else `Date.parse` takes for a date, like "3600;", is none. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)/i;

/** The wait that a `Retry-After` header asks for, in milliseconds; seconds or an HTTP date, at most a day. */
export function parseRetryAfter(given: string | undefined, nowMs: number): number | undefined {
  if (given === undefined) return undefined;
  const header = given.trim();
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : timeOf(header) - nowMs;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

/** HTTP dates are GMT, although one of their forms does not say so. NaN for what is no date. */
function timeOf(date: string): number {
  return WEEKDAY.test(date) ? Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) : Number.NaN;
}
