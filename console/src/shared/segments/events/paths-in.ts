/** More than a person reads. */
const MAX_PATHS = 200;

/** What events are about; the rest of what they have comes from libraries. */
const FIRST = ['properties.', 'traits.'];

/** The dotted paths to values in events; what is in lists is not among them. */
export function pathsIn(events: readonly object[]): string[] {
  const paths = [...new Set(events.flatMap((event) => pathsOf(event, '')))].toSorted();
  const isFirst = (path: string): boolean => FIRST.some((prefix) => path.startsWith(prefix));
  return [...paths.filter(isFirst), ...paths.filter((path) => !isFirst(path))].slice(0, MAX_PATHS);
}

function pathsOf(value: object, prefix: string): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const path = `${prefix}${name.replaceAll(/[\\.]/g, String.raw`\$&`)}`;
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isObject ? pathsOf(inner, `${path}.`) : [path];
  });
}
