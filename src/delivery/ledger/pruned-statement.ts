import { DAY_MS, lowestId, timeOfId } from '../../events/partitions/partition-plan';
import type { PreparedStatement } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { unplannedId } from '../../platform/database/statements/unplanned';

/**
 * A statement about deliveries from an id on, which stands in its text as a literal. So the plan that PostgreSQL keeps
 * has only the partitions from there on, as many after a year as after a week. A parameter is looked at when the plan
 * is executed: by then every partition is planned, opened and locked.
 */
type PrunedStatement = (fromId: string) => PreparedStatement;

/** @param textFor called with the literal, quotes included */
export function prunedStatement(name: string, textFor: (fromId: string) => string): PrunedStatement {
  let made: { readonly dayMs: number; readonly statement: PreparedStatement } | undefined;
  return (fromId) => {
    // Whole days, as partitions have them, or each statement would be another one. Also, nothing but digits gets in.
    const dayMs = Math.floor(timeOfId(fromId) / DAY_MS) * DAY_MS;
    if (made?.dayMs !== dayMs) {
      const text = textFor(`'${lowestId(dayMs)}'::uuid`);
      made = { dayMs, statement: { name: `${name}_${dayMs / DAY_MS}`, text } };
    }
    return made.statement;
  };
}

/**
 * Whether an id is in a range of two parameters, so that partitions outside of it are left out when the statement
 * begins.
 */
export function isBetween(id: string, lowest: string, highest: string): string {
  return `${id} between ${unplannedId(lowest)} and ${unplannedId(highest)}`;
}

/**
 * Where a statement about some ids begins: yesterday, or with all, so that a connection keeps two plans of it, not
 * hundreds.
 */
export function beginOf(lowestOfThem: string): string {
  const yesterday = lowestId(databaseNowMs() - DAY_MS);
  return timeOfId(lowestOfThem) >= Math.floor(timeOfId(yesterday) / DAY_MS) * DAY_MS
    ? yesterday
    : lowestId(0);
}
