import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { Statement, Tx } from '../database';
import { prepared } from './prepared';
import { KEEP_PLANS_SQL } from './statement';

/** How a text is sent. */
export type StatementOf = (text: string) => Statement;

/** Planned each time: for what is asked now and then. */
export const plannedEachTime: StatementOf = (text) => ({ text });

/** A connection keeps the plan of each that it has run, some hundred kilobytes, for as long as it lives. */
const MAX_NAMES = 100;

/** After this time without use a statement is one of a definition that is gone, and leaves its place to another. */
const UNUSED_MS = 15 * 60_000;

/**
 * Names statements whose text is made of what operators define, so that PostgreSQL keeps their plans: planning takes
 * longer than running them. Where a hundred others have been used of late, a statement has no name, and is planned each
 * time.
 * @param prefix unique in the service
 */
export function madeStatement(prefix: string, nowMs: () => number = Date.now): StatementOf {
  /** By text, the one used last at the end. */
  const used = new Map<string, { readonly name: string; readonly atMs: number }>();
  const nameOf = (text: string): string | undefined => {
    const known = used.get(text);
    if (known !== undefined) return known.name;
    const [[longestUnused, { atMs }] = ['', { atMs: Infinity }]] = used;
    if (used.size === MAX_NAMES && nowMs() - atMs < UNUSED_MS) return undefined;
    if (used.size === MAX_NAMES) used.delete(longestUnused);
    return `${prefix}_${digestOf(text)}`;
  };
  return (text) => {
    const name = nameOf(text);
    if (name === undefined) return { text };
    used.delete(text);
    used.set(text, { name, atMs: nowMs() });
    return { name, text };
  };
}

function digestOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

const keepPlansSql = prepared('keep_plans')`${KEEP_PLANS_SQL}`;
const judgePlansSql = prepared('judge_plans')`set local plan_cache_mode = auto`;

/** A statement and what it is sent. */
interface MadeQuery {
  readonly statement: Statement;
  readonly params: readonly unknown[];
}

/**
 * Runs statements, which travel together, with the plans that are kept for them, where they are. PostgreSQL itself
 * would compare such a plan with one for these very parameters, which looks cheaper by the few rows that it takes them
 * to be, and make that one each time.
 * @param tx a transaction, unless the statements have no names
 */
export async function queryByKeptPlans<Row extends QueryResultRow>(
  queries: readonly MadeQuery[],
  tx: Tx,
): Promise<Row[][]> {
  const run = (): Promise<Row[]>[] =>
    queries.map(({ statement, params }) => tx.query<Row>(statement, params));
  if (queries.every(({ statement }) => statement.name === undefined)) return Promise.all(run());
  // In the order of the calls.
  const kept = tx.query(keepPlansSql);
  const found = run();
  await Promise.all([kept, ...found, tx.query(judgePlansSql)]);
  return Promise.all(found);
}
