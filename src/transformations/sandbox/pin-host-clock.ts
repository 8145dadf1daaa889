/**
 * The engine asks the host for the time and its zone. In a thread that runs nothing else both are pinned: 1970, UTC, so
 * that a date is read and written alike on each machine.
 */
export function pinHostClock(): void {
  Date.now = () => 0;
  const { prototype } = Date;
  prototype.getTimezoneOffset = () => 0;
  prototype.getFullYear = prototype.getUTCFullYear;
  prototype.getMonth = prototype.getUTCMonth;
  prototype.getDate = prototype.getUTCDate;
  prototype.getDay = prototype.getUTCDay;
  prototype.getHours = prototype.getUTCHours;
  prototype.getMinutes = prototype.getUTCMinutes;
  prototype.getSeconds = prototype.getUTCSeconds;
}
