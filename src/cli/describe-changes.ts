import { isDeepStrictEqual } from 'node:util';
import { printable } from './describe-event';
import type { ConfigResult } from './management-client';

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', delete: '-' };

type FieldChange = ConfigResult['changes'][number]['fields'][number];

/**
 * Changes for people: one line each, and one for each member that changes, however deep down it is, and each warning.
 * What stands in names is no command to the terminal or the log of CI.
 */
export function describeChanges({ changes }: ConfigResult): string {
  if (changes.length === 0) return 'Nothing changes.\n';
  const lines = changes.flatMap(({ action, kind, name, fields, warnings = [] }) => [
    `${SIGNS[action] ?? action} ${kind} "${name}"`,
    ...fields.flatMap(differences).map(describeField),
    ...warnings.map(({ path, message }) => `    warning: ${path}: ${message}`),
  ]);
  const done = changes.every(({ applied }) => applied);
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return `${lines.map(printable).join('\n')}\n${count} ${done ? 'applied' : 'planned'}.\n`;
}

function describeField({ path, before, after }: FieldChange): string {
  return `    ${path}: ${textOf(before)} -> ${textOf(after)}`;
}

function textOf(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}

function differences({ path, before, after }: FieldChange): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (old === undefined || now === undefined) return [{ path, before, after }];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((part) =>
    differences({ path: `${path}${part}`, before: old.get(part), after: now.get(part) }),
  );
}

/** The members of an object as `.total`, the rules of a tracking plan as `[track Paid]`; undefined for what is told whole. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    return value.every(isRule) ? new Map(value.map((rule) => [`[${labelOf(rule)}]`, rule])) : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [`.${name}`, member]));
}

interface Rule {
  readonly type: string;
  readonly event?: string;
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'type' in value && 'schema' in value;
}

function labelOf({ type, event }: Rule): string {
  return event === undefined ? type : `${type} ${event}`;
}
