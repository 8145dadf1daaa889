type Members = Readonly<Record<string, unknown>>;

/** Whether two JSON values are the same: numbers by value, objects whatever the order of their members. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameJson(item, right[index]));
  }
  const names = Object.keys(left);
  const [members, others] = [left as Members, right as Members];
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(others, name) && sameJson(members[name], others[name]))
  );
}

/** The same text for JSON that is the same, and no other: finds a value among many, where comparing with each is slow. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // -0 and 0 are the same number.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
