/** A receiver may put a delivery off, but not for ever. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** The wait that a `Retry-After` header asks for, in milliseconds; seconds or an HTTP date, at most a day. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
