/** A number that is counted no further than to some most: `12`, or `1,000 or more`. */
export function counted(count: number, most: number): string {
  return count < most ? count.toLocaleString() : `${most.toLocaleString()} or more`;
}
