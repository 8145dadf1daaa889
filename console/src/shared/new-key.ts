let lastKey = 0;

/** For React: what has it is known by it, wherever it moves in its list. */
export function newKey(): string {
  lastKey += 1;
  return `${lastKey}`;
}
