/** Whether objects and arrays are nested more than `levels` deep in `value`, itself included. */
export function isDeeperThan(levels: number, value: object): boolean {
  if (levels === 0) return true;
  const members: Record<string, unknown> = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'object' && member !== null && isDeeperThan(levels - 1, member)) return true;
  }
  return false;
}
