import { joinPath } from './problem-paths';

/** What of a JSON value could not be kept as it is. */
interface Unstorable {
  readonly path: string;
  /** What is to be otherwise, as in `The value must be a finite number.` */
  readonly problem: string;
}

const UNSTORABLE_TEXT = 'must be text that can be stored';
const UNSTORABLE_NAME = 'must have names that can be stored';
const UNSTORABLE_NUMBER = 'must be a finite number';

/**
 * Finds the first text or number in a JSON value at `path` that could not be kept as it is. The depth of the value must
 * have been checked.
 */
export function findUnstorable(value: unknown, path: string): Unstorable | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path, problem: UNSTORABLE_TEXT };
  // `1e400` is `Infinity` once it is read, and `null` once it is written.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path, problem: UNSTORABLE_NUMBER };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return { path, problem: UNSTORABLE_NAME };
    const found = findUnstorable(member, joinPath(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether PostgreSQL can store a text, alone or in `jsonb`: it is without NUL, and halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
