import { jsonTestToSql } from '../../../language/operator-to-sql';
import type { SqlValues } from '../../../language/sql-values';
import { timestampToSql } from '../../../language/timestamp-to-sql';
import type { EventTest } from '../event-test';
import type { EventFields } from './event-fields';
import type { TimeRange } from '../window';

/** Whether an event `e` of `matchingEventsSql` that has the name counts. */
export function eventTestToSql(
  { type, where, range }: Omit<EventTest, 'event'>,
  fields: EventFields,
): string {
  const { values } = fields;
  const ofType = type === undefined ? [] : [`e.type = '${type}'`];
  const holds = where.map((test) => jsonTestToSql(fields.valueAt(test.path), test, values));
  return [...ofType, ...rangeToSql(range, values), ...holds].join(' and ') || 'true';
}

function rangeToSql({ fromMs, toMs }: TimeRange = {}, values: SqlValues): string[] {
  const test = (comparison: string, ms: number): string =>
    `e."timestamp" ${comparison} ${values.add(timestampToSql(ms), 'timestamptz')}`;
  return [
    ...(fromMs === undefined ? [] : [test('>=', fromMs)]),
    ...(toMs === undefined ? [] : [test('<', toMs)]),
  ];
}
