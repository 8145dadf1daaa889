const MINUTE_MS = 60_000;

/** A time as `<input type="datetime-local">` has it, on the clock of the person: `2026-11-20T13:00:00`. */
export function toLocalTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19);
}

/** The same back, in UTC; empty when there is none. */
export function fromLocalTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
