import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { type EventPath, joinPath, splitPath } from '../../events/event-path';
import { closestName } from './closest-name';

/** What is deeper down, or further ones, nobody is told to have meant. */
const MAX_DEPTH = 8;
const MAX_PATHS = 1_000;
/** What events are about; the rest of what they have comes from libraries. */
const FIRST = ['properties', 'traits'];

/** The paths to what events have, those into what they are about first; what is in lists is not among them. */
export function pathsIn(events: readonly JsonObject[]): string[] {
  const paths = [...new Set(events.flatMap((event) => pathsOf(event, [])))].toSorted();
  const isFirst = (path: string): boolean => FIRST.some((root) => path.startsWith(`${root}.`));
  return [...paths.filter(isFirst), ...paths.filter((path) => !isFirst(path))].slice(0, MAX_PATHS);
}

function pathsOf(value: JsonObject, above: EventPath): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...above, name];
    const below = isJsonObject(inner) && path.length < MAX_DEPTH ? pathsOf(inner, path) : [];
    return [joinPath(path), ...below];
  });
}

/**
 * The path that was probably meant by another one: with few characters changed; or one that ends as it does, which was
 * written without the first steps, or with other ones; or one whose last step is nearly the same.
 */
export function closestPath(given: EventPath, known: readonly string[]): string | undefined {
  const text = joinPath(given);
  const last = lastStep(text);
  const closest = closestName(text, known) ?? known.find((path) => path.endsWith(`.${text}`));
  if (closest !== undefined) return closest;
  const meant = closestName(last, [...new Set(known.map(lastStep))]);
  return known.find((path) => lastStep(path) === meant);
}

function lastStep(path: string): string {
  return splitPath(path).at(-1) ?? path;
}
