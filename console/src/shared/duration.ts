const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
] as const;

/** A time that somebody waits: `0.2 s`, `45 s`, `3 min`, `2 h`. */
export function duration(seconds: number): string {
  const unit = UNITS.find((one) => seconds >= one.seconds);
  if (unit !== undefined) return `${Math.round(seconds / unit.seconds)} ${unit.name}`;
  return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
}

export function milliseconds(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${Math.round(ms)} ms` : duration(ms / 1000);
}
