import type { ConfigResult } from './management-client';

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', delete: '-' };

/** Changes for people: one line each, and one for each member that changes. */
export function describeChanges({ changes }: ConfigResult): string {
  if (changes.length === 0) return 'Nothing changes.\n';
  const lines = changes.flatMap(({ action, kind, name, fields }) => [
    `${SIGNS[action] ?? action} ${kind} "${name}"`,
    ...fields.map(
      ({ path, before, after }) => `    ${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ]);
  const done = changes.every(({ applied }) => applied);
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return `${lines.join('\n')}\n${count} ${done ? 'applied' : 'planned'}.\n`;
}
