import { isJsonObject, type JsonObject, type JsonValue } from './customer-event';
import type { InputProblems } from '../platform/http/input/input-problems';

/** The object keys from the event down: `properties.plan\.name` is `['properties', 'plan.name']`. */
export type EventPath = readonly string[];

const MAX_PATH_LENGTH = 200;

/** The steps of a dotted path. `\.` is a dot that belongs to a step, `\\` a backslash. */
export function splitPath(text: string): string[] {
  return text.split(/(?<!(?<!\\)(?:\\\\)*\\)\./).map((step) => step.replaceAll(/\\([\\.])/g, '$1'));
}

/** What {@link splitPath} splits: a dot or backslash in a step is one that belongs to it. */
export function joinPath(path: EventPath): string {
  return path.map((step) => step.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');
}

/** A dotted path into an event, or undefined when the text is none. `\.` is a dot that belongs to a key. */
export function parseEventPath(text: unknown): EventPath | undefined {
  if (typeof text !== 'string' || text.length > MAX_PATH_LENGTH) return undefined;
  if (text.includes('\0') || !text.isWellFormed()) return undefined;
  const path = splitPath(text);
  // Assigning to __proto__ would not make a member of that name.
  return path.includes('') || path.includes('__proto__') ? undefined : path;
}

/** The same of an input, where anything else is a problem at `place`. */
export function readEventPath(
  text: unknown,
  inputPath: string,
  problems: InputProblems,
  code = 'invalid_path',
): EventPath | undefined {
  const message = 'Must be a dotted path into the event, such as properties.amount.';
  return parseEventPath(text) ?? problems.fail(inputPath, code, message);
}

/** The value at a path, which may go into arrays by index; undefined when it is not there. */
export function valueAt(event: JsonObject, path: EventPath): JsonValue | undefined {
  let value: JsonValue | undefined = event;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.hasOwn(value, step) || (Array.isArray(value) && step === 'length')) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

/**
 * Every object that has (or could have) the last step of the path as a member. On the way down a path goes into
 * each item of an array.
 */
export function holdersOf(event: JsonObject, path: EventPath): JsonObject[] {
  let holders: JsonObject[] = [event];
  for (const step of path.slice(0, -1)) {
    holders = holders.flatMap((holder) => objectsIn(Object.hasOwn(holder, step) ? holder[step] : undefined));
  }
  return holders;
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value] : [];
}
