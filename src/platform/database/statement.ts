import type { Statement } from './database';

/** How long a statement may take where that is not as long as usual. */
export function limitOf(statement: string | Statement): number | undefined {
  return typeof statement === 'string' ? undefined : statement.limitMs;
}

/** What `pg` is given. */
export function queryOf(
  statement: string | Statement,
  params: readonly unknown[],
  prepare: boolean,
): { name: string | undefined; text: string; values: unknown[] } {
  const text = typeof statement === 'string' ? statement : statement.text;
  const name = prepare && typeof statement !== 'string' ? statement.name : undefined;
  return { name, text, values: [...params] };
}
