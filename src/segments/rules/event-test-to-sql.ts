import { jsonTestToSql } from '../../language/operator-to-sql';
import type { SqlValues } from '../../language/sql-values';
import type { EventTest } from './event-test';
import { jsonPathToSql } from './json-path-to-sql';

/** Whether an event `e` of `matchingEventsSql` that has the name counts. */
export function eventTestToSql({ type, where }: Omit<EventTest, 'event'>, values: SqlValues): string {
  const ofType = type === undefined ? [] : [`e.type = '${type}'`];
  const holds = where.map((test) =>
    jsonTestToSql(jsonPathToSql('e.payload', test.path, values), test, values),
  );
  return [...ofType, ...holds].join(' and ') || 'true';
}
