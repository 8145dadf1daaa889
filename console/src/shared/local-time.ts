/** A time as `<input type="datetime-local">` has it, on the clock of the person: `2026-11-20T13:00:00`. */
export function toLocalTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  // Not by the offset from UTC: before there were time zones that had seconds, which `getTimezoneOffset` leaves out.
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part)).join(':');
  return `${day}T${time}`;
}

/** The same back, in UTC; empty when there is none. */
export function fromLocalTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function padded(part: number, digits = 2): string {
  return String(part).padStart(digits, '0');
}
