/** The lowest and the highest of some UUIDs, which as text have the order of their bytes. */
export function rangeOfIds(ids: readonly string[]): [string, string] {
  let [low, high] = [ids[0] ?? '', ids[0] ?? ''];
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}
