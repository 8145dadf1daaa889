/** A number that is counted no further than to some most: `12`, or `1,000 or more`. */
export function counted(count: number, most: number): string {
  return count < most ? count.toLocaleString() : `${most.toLocaleString()} or more`;
}

/** How many a list has, of which there may be more than it shows. */
export function countedIn(rows: readonly unknown[], hasMore: boolean): string {
  return counted(rows.length, hasMore ? rows.length : Infinity);
}
