/**
 * What an event has at the path of a violation, `properties.products[3].price`; undefined where it has nothing there.
 * Names may have dots in them, so that a path may be read in several ways: the first that leads to something is taken.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const start = Array.isArray(value) ? `[${name}]` : name;
    const rest = path.slice(start.length);
    if (!path.startsWith(start) || !/^($|\.|\[)/.test(rest)) continue;
    const found = valueAt(member, rest.replace(/^\./, ''));
    if (found !== undefined) return found;
  }
  return undefined;
}
