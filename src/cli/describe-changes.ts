import type { EventType } from '../events/customer-event';
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

function differences({ path, before, after }: FieldChange): FieldChange[] {
  if (sameJson(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (old === undefined || now === undefined) return [{ path, before, after }];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((part) =>
    differences({ path: `${path}${part}`, before: old.get(part), after: now.get(part) }),
  );
}

/**
 * The members of an object as `.total`, the rules of a tracking plan as `[track Paid]`; undefined for what is told
 * whole.
 */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    return value.every(isRule)
      ? new Map(value.map((rule) => [`[${labelOf(rule.type, rule.event)}]`, rule]))
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [`.${name}`, member]));
}

interface Rule {
  readonly type: EventType;
  readonly event?: string;
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'type' in value && 'schema' in value;
}
