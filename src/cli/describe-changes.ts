import { type EventType, isJsonObject, type JsonObject } from '../events/customer-event';
import { sameJson } from '../events/same-json';
import { labelOf } from '../tracking-plans/language/plan';
import { printable } from './describe-event';
import type { ConfigResult } from './management-client';

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', delete: '-' };

type FieldChange = ConfigResult['changes'][number]['fields'][number];

/**
 * Changes for people: one line each, and one for each member that changes, however deep down it is, and each warning.
 * What stands in names is no command to the terminal or the log of CI. Where some were not applied, each says so.
 */
export function describeChanges({ changes }: ConfigResult, asked: 'planned' | 'applied' = 'planned'): string {
  if (changes.length === 0) return 'Nothing changes.\n';
  const done = changes.filter(({ applied }) => applied).length;
  const isPart = asked === 'applied' && done < changes.length;
  const markOf = (applied: boolean): string => (isPart ? ` (${applied ? 'applied' : 'not applied'})` : '');
  const lines = changes.flatMap(({ action, kind, name, fields, warnings, applied }) => [
    `${SIGNS[action] ?? action} ${kind} "${name}"${markOf(applied)}`,
    ...fields.flatMap(differences).map(describeField),
    ...warnings.map(({ path, message }) => `    warning: ${path}: ${message}`),
  ]);
  const count = `${isPart ? `${done} of ` : ''}${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return `${lines.map(printable).join('\n')}\n${count} ${asked}.\n`;
}

function describeField({ path, before, after }: FieldChange): string {
  return `    ${path}: ${textOf(before)} -> ${textOf(after)}`;
}

function textOf(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}

function differences(change: FieldChange): FieldChange[] {
  const { path, before, after } = change;
  if (sameJson(before, after)) return [];
  const parts = partsOf(before, after);
  if (parts === undefined) return [change];
  const [old, now] = parts;
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((part) =>
    differences({ path: `${path}${part}`, before: old.get(part), after: now.get(part) }),
  );
}

type Parts = ReadonlyMap<string, unknown>;

/**
 * The members of two objects as `.total`, the rules of tracking plans as `[track Paid]`, other objects in lists by their
 * places, as `[2]`; undefined for what is told whole.
 */
function partsOf(before: unknown, after: unknown): [Parts, Parts] | undefined {
  if (isJsonObject(before) && isJsonObject(after)) return [membersOf(before), membersOf(after)];
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const entries: unknown[] = [...before, ...after];
  if (entries.every(isRule)) return [rulesOf(before), rulesOf(after)];
  return entries.every(isJsonObject) ? placesOf(before, after) : undefined;
}

function membersOf(object: JsonObject): Parts {
  return new Map(Object.entries(object).map(([name, member]) => [`.${name}`, member]));
}

interface Rule {
  readonly type: EventType;
  readonly event?: string;
}

function isRule(value: unknown): value is Rule {
  return isJsonObject(value) && 'type' in value && 'schema' in value;
}

function rulesOf(rules: readonly Rule[]): Parts {
  return new Map(rules.map((rule) => [`[${labelOf(rule.type, rule.event)}]`, rule]));
}

/** Without those that both begin and end with: one that is added in between is one difference. */
function placesOf(before: readonly JsonObject[], after: readonly JsonObject[]): [Parts, Parts] {
  const start = countSame(before, after);
  const end = countSame(before.slice(start).toReversed(), after.slice(start).toReversed());
  const between = (entries: readonly JsonObject[]): Parts =>
    new Map(entries.slice(start, entries.length - end).map((entry, index) => [`[${start + index}]`, entry]));
  return [between(before), between(after)];
}

/** How many entries both begin with. */
function countSame(before: readonly JsonObject[], after: readonly JsonObject[]): number {
  const different = before.findIndex((entry, index) => !sameJson(entry, after[index]));
  return different === -1 ? before.length : different;
}
