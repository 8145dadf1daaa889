/** `1 event`, `1,200 events`. */
export function howMany(count: number, one: string, many?: string): string {
  return `${count.toLocaleString()} ${nounOf(count, one, many)}`;
}

/** The word alone: `event` of one, `events` of none or several. */
export function nounOf(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}
