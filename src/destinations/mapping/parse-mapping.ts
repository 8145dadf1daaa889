import type { JsonObject } from '../../events/customer-event';
import type { ProblemDetail } from '../../platform/http/problem';
import { isJsonObject, parseEventPath } from '../event-path';
import { HASH_METHODS, type Mapping } from './mapping';

const MAX_ENTRIES = 200;
const MAX_VALUE_LENGTH = 10_000;
const MIN_KEY_LENGTH = 8;
const MAX_KEY_LENGTH = 256;

export type ParsedMapping =
  | { readonly ok: true; readonly mapping: Mapping }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/** Checks a mapping as a client wrote it; the paths of its errors start at `mapping`. */
export function parseMapping(input: unknown): ParsedMapping {
  const errors: ProblemDetail[] = [];
  const fail = (path: string, code: string, message: string): void =>
    void errors.push({ path, code, message });
  if (!isJsonObject(input)) {
    fail('mapping', 'invalid_mapping', 'Must be an object.');
    return { ok: false, errors };
  }
  for (const [member, value] of Object.entries(input)) {
    if (member === 'hashKey') checkKey(value, fail);
    else if (isListMember(member)) checkList(member, value, fail);
    else fail(`mapping.${member}`, 'unknown_field', `Is none of ${MEMBERS.join(', ')}.`);
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, mapping: input };
}

type Fail = (path: string, code: string, message: string) => void;
type CheckEntry = (entry: unknown, path: string, fail: Fail) => void;

const LISTS: Readonly<Record<string, CheckEntry>> = {
  pick: checkPath,
  drop: checkPath,
  hash: checkHash,
  rename: checkRename,
  constant: checkConstant,
};
const MEMBERS = [...Object.keys(LISTS), 'hashKey'];

function isListMember(member: string): boolean {
  return Object.hasOwn(LISTS, member);
}

function checkList(member: string, value: unknown, fail: Fail): void {
  const path = `mapping.${member}`;
  if (!Array.isArray(value)) return fail(path, 'invalid_list', 'Must be an array.');
  if (value.length > MAX_ENTRIES) return fail(path, 'too_many', `Has more than ${MAX_ENTRIES} entries.`);
  if (member === 'pick' && value.length === 0) return fail(path, 'empty', 'Must name at least one path.');
  for (const [index, entry] of value.entries()) LISTS[member]?.(entry, `${path}[${index}]`, fail);
}

function checkPath(entry: unknown, path: string, fail: Fail): void {
  if (parseEventPath(entry) !== undefined) return;
  fail(path, 'invalid_path', 'Must be a dotted path into the event, such as properties.amount.');
}

function checkHash(entry: unknown, path: string, fail: Fail): void {
  if (!isEntry(entry, ['path', 'method', 'normalize'], path, fail)) return;
  checkPath(entry.path, `${path}.path`, fail);
  if (entry.method !== undefined && !(HASH_METHODS as readonly unknown[]).includes(entry.method)) {
    fail(`${path}.method`, 'unknown_method', `Must be one of ${HASH_METHODS.join(', ')}.`);
  }
  if (entry.normalize !== undefined && typeof entry.normalize !== 'boolean') {
    fail(`${path}.normalize`, 'invalid_value', 'Must be true or false.');
  }
}

function checkRename(entry: unknown, path: string, fail: Fail): void {
  if (!isEntry(entry, ['from', 'to'], path, fail)) return;
  checkPath(entry.from, `${path}.from`, fail);
  checkPath(entry.to, `${path}.to`, fail);
}

function checkConstant(entry: unknown, path: string, fail: Fail): void {
  if (!isEntry(entry, ['path', 'value'], path, fail)) return;
  checkPath(entry.path, `${path}.path`, fail);
  if (entry.value === undefined) fail(`${path}.value`, 'required', 'Is required.');
  else if (JSON.stringify(entry.value).length > MAX_VALUE_LENGTH) {
    fail(`${path}.value`, 'too_long', `Is longer than ${MAX_VALUE_LENGTH} characters of JSON.`);
  }
}

function checkKey(value: unknown, fail: Fail): void {
  if (typeof value === 'string' && value.length >= MIN_KEY_LENGTH && value.length <= MAX_KEY_LENGTH) return;
  fail('mapping.hashKey', 'invalid_key', `Must be ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} characters.`);
}

function isEntry(entry: unknown, known: readonly string[], path: string, fail: Fail): entry is JsonObject {
  if (!isJsonObject(entry)) {
    fail(path, 'invalid_entry', `Must be an object with ${known.join(', ')}.`);
    return false;
  }
  for (const member of Object.keys(entry)) {
    if (!known.includes(member))
      fail(`${path}.${member}`, 'unknown_field', `Is none of ${known.join(', ')}.`);
  }
  return true;
}
