import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { findUnstorable } from '../../platform/http/input/find-unstorable';
import { InputProblems, type ReadPart } from '../../platform/http/input/input-problems';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { readEventPath } from '../../events/event-path';
import { HASH_METHODS, type Mapping } from './mapping';

const MAX_ENTRIES = 200;
const MAX_VALUE_LENGTH = 10_000;
const MIN_KEY_LENGTH = 8;
const MAX_KEY_LENGTH = 256;

type ParsedMapping =
  | { readonly ok: true; readonly mapping: Mapping }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/** Checks a mapping as a client wrote it; the paths of its errors start at `mapping`. */
export function parseMapping(input: unknown): ParsedMapping {
  const problems = new InputProblems();
  const { errors } = problems;
  if (!isJsonObject(input)) {
    problems.fail('mapping', 'invalid_mapping', 'Must be an object.');
    return { ok: false, errors };
  }
  problems.onlyMembers(input, [...Object.keys(ENTRIES), 'hashKey'], 'mapping', 'unknown_field');
  for (const [member, readEntry] of Object.entries(ENTRIES)) {
    if (member in input) checkList(input[member], `mapping.${member}`, problems, readEntry);
  }
  if ('hashKey' in input) checkKey(input.hashKey, problems);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, mapping: input };
}

/** How an entry of each list is checked. */
const ENTRIES: Readonly<Record<string, ReadPart<unknown>>> = {
  pick: (entry, path, problems) => readEventPath(entry, path, problems),
  drop: (entry, path, problems) => readEventPath(entry, path, problems),
  hash: checkHash,
  rename: checkRename,
  constant: checkConstant,
};

function checkList(
  list: unknown,
  path: string,
  problems: InputProblems,
  readEntry: ReadPart<unknown>,
): unknown {
  if (!Array.isArray(list)) return problems.fail(path, 'invalid_list', 'Must be an array.');
  if (list.length > MAX_ENTRIES) {
    return problems.fail(path, 'too_many', `Has more than ${MAX_ENTRIES} entries.`);
  }
  if (path === 'mapping.pick' && list.length === 0) {
    return problems.fail(path, 'empty', 'Must name at least one path.');
  }
  return problems.entries(list, path, readEntry);
}

function checkHash(input: unknown, path: string, problems: InputProblems): void {
  const entry = readEntry(input, ['path', 'method', 'normalize'], path, problems);
  if (entry === undefined) return;
  readEventPath(entry.path, `${path}.path`, problems);
  if (entry.method !== undefined) {
    problems.oneOf(HASH_METHODS, entry.method, `${path}.method`, 'unknown_method');
  }
  if (entry.normalize !== undefined && typeof entry.normalize !== 'boolean') {
    problems.fail(`${path}.normalize`, 'invalid_value', 'Must be true or false.');
  }
}

function checkRename(input: unknown, path: string, problems: InputProblems): void {
  const entry = readEntry(input, ['from', 'to'], path, problems);
  if (entry === undefined) return;
  readEventPath(entry.from, `${path}.from`, problems);
  readEventPath(entry.to, `${path}.to`, problems);
}

function checkConstant(input: unknown, path: string, problems: InputProblems): void {
  const entry = readEntry(input, ['path', 'value'], path, problems);
  if (entry === undefined) return;
  readEventPath(entry.path, `${path}.path`, problems);
  if (entry.value === undefined) return problems.fail(`${path}.value`, 'required', 'Is required.');
  if (JSON.stringify(entry.value).length > MAX_VALUE_LENGTH) {
    const message = `Is longer than ${MAX_VALUE_LENGTH} characters of JSON.`;
    return problems.fail(`${path}.value`, 'too_long', message);
  }
  const unstorable = findUnstorable(entry.value, `${path}.value`);
  if (unstorable !== undefined) problems.fail(unstorable.path, 'invalid_value', `It ${unstorable.problem}.`);
}

function checkKey(key: unknown, problems: InputProblems): void {
  if (typeof key === 'string' && key.length >= MIN_KEY_LENGTH && key.length <= MAX_KEY_LENGTH) return;
  const message = `Must be ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} characters.`;
  problems.fail('mapping.hashKey', 'invalid_key', message);
}

function readEntry(
  entry: unknown,
  known: readonly string[],
  path: string,
  problems: InputProblems,
): JsonObject | undefined {
  if (!isJsonObject(entry)) {
    return problems.fail(path, 'invalid_entry', `Must be an object with ${known.join(', ')}.`);
  }
  problems.onlyMembers(entry, known, path, 'unknown_field');
  return entry;
}
