import type { JsonObject } from '../../events/customer-event';

/** Names of members that go, and those of which only members go. */
interface Cut {
  readonly below: Map<string, Cut | 'all'>;
}

/** A copy without the members at these places. What is on no way to them is shared with the original. */
export function omitMembers(event: JsonObject, targets: readonly (readonly string[])[]): JsonObject {
  const cut: Cut = { below: new Map() };
  for (const target of targets) mark(cut, target);
  return copyWithout(event, cut) as JsonObject;
}

function mark(cut: Cut, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return;
  const present = cut.below.get(name);
  if (present === 'all') return;
  if (rest.length === 0) return void cut.below.set(name, 'all');
  const next = present ?? { below: new Map() };
  cut.below.set(name, next);
  mark(next, rest);
}

function copyWithout(value: unknown, { below }: Cut): unknown {
  if (Array.isArray(value)) {
    return value.map((element: unknown, index) => {
      const cut = below.get(String(index));
      return cut === undefined || cut === 'all' ? element : copyWithout(element, cut);
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const cut = below.get(name);
    if (cut === undefined) copy[name] = member;
    else if (cut !== 'all') copy[name] = copyWithout(member, cut);
  }
  return copy;
}
