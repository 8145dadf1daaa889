/** When something happens that so many milliseconds are left to: what takes no tenth of a second is due. */
export function timeUntil(ms: number): string {
  const seconds = (ms / 1_000).toFixed(1);
  return seconds === '0.0' ? 'now' : `in ${seconds} s`;
}
