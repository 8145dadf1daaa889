import { valueAndLeavingSql } from './measure-to-sql';
import { type MeasureField, windowKey } from '../predicate';
import type { SqlTarget } from './rule-to-sql';

/** Measures that a statement over profiles reads once for each of them, whatever it asks about them. */
export class JoinedMeasures {
  /** By `windowKey`: the alias, and the query. */
  private readonly joins = new Map<string, { readonly alias: string; readonly query: string }>();

  /** An SQL expression for the value, as `measureToSql` has it. */
  valueSql(field: MeasureField, target: SqlTarget): string {
    return `${this.aliasOf(field, target)}.value`;
  }

  /** When the oldest step with events that count leaves the window, a timestamptz. */
  leavesSql(field: MeasureField, target: SqlTarget): string {
    return `${this.aliasOf(field, target)}.leaves`;
  }

  /** What stands behind the profile in `from`, once all has been asked. */
  fromSql(): string {
    return [...this.joins.values()]
      .map(({ alias, query }) => ` cross join lateral (${query}) as ${alias}`)
      .join('');
  }

  private aliasOf(field: MeasureField, { profile, now, values }: SqlTarget): string {
    const key = windowKey(field);
    const known = this.joins.get(key);
    if (known !== undefined) return known.alias;
    const alias = `measured_${this.joins.size}`;
    const query = valueAndLeavingSql(field, { root: `${profile}.subject`, now, values });
    this.joins.set(key, { alias, query });
    return alias;
  }
}
