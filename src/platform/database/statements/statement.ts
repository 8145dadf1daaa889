import { MAX_STATEMENT_MS } from '../connections/open-pool';
import type { Statement } from '../database';

/** Until the end of the transaction. */
export const KEEP_PLANS_SQL = 'set local plan_cache_mode = force_generic_plan';

/** Until the end of the transaction tables may be read from their beginning, for what goes through a whole one. */
export const SCAN_TABLES_SQL = 'set local enable_seqscan = on';

/** What follows a statement that may take longer is given up by PostgreSQL, too, before the service gives it up. */
export const USUAL_LIMIT_SQL = `set local statement_timeout = ${MAX_STATEMENT_MS}`;

/** How long a statement may take where that is not as long as usual. */
export function limitOf(statement: string | Statement): number | undefined {
  return typeof statement === 'string' ? undefined : statement.limitMs;
}

/** Whether a statement needs a transaction around it, with settings of its own. */
export function hasSettings(statement: string | Statement, prepare: boolean): boolean {
  return settingsOf(statement, prepare).length > 0;
}

/**
 * What is said before a statement in its transaction.
 * @param prepare whether the way to PostgreSQL keeps prepared statements, without which no plan is kept
 */
export function settingsOf(statement: string | Statement, prepare: boolean): string[] {
  if (typeof statement === 'string') return [];
  return [
    ...(statement.limitMs === undefined ? [] : [`set local statement_timeout = ${statement.limitMs}`]),
    ...(statement.sorts === undefined ? [] : ['set local enable_sort = off']),
    ...(prepare && statement.plannedOnce === true ? [KEEP_PLANS_SQL] : []),
  ];
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
