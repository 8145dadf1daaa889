import type { EventPath } from '../../../events/event-path';
import type { SqlValues } from '../../../language/sql-values';
import { jsonPathToSql } from './json-path-to-sql';

/** PostgreSQL has 1,664 columns in a row at most; 200 measures may look at 4,200 paths. */
const MAX_COLUMNS = 1_000;

/**
 * What a statement looks for in the events `e` of `matchingEventsSql`: a column for each path, read once an event.
 * Numbers are doubles, as everywhere else.
 */
export class EventFields {
  /** By path: where it is read, and the column. */
  private readonly found = new Map<string, { readonly sql: string; readonly name: string }>();

  constructor(readonly values: SqlValues) {}

  /** What stands there, jsonb; null where nothing does. */
  valueAt(path: EventPath): string {
    const key = JSON.stringify(path);
    const known = this.found.get(key);
    if (known !== undefined) return `e.${known.name}`;
    if (this.found.size === MAX_COLUMNS) return this.readFrom('e.payload', path);
    const name = `field_${this.found.size}`;
    this.found.set(key, { sql: this.readFrom('payload', path), name });
    return `e.${name}`;
  }

  /** Once all has been asked: the columns, made of `payload`. */
  get columns(): string[] {
    return Array.from(this.found.values(), ({ sql, name }) => `${sql} as ${name}`);
  }

  private readFrom(payload: string, path: EventPath): string {
    return `event_value(${jsonPathToSql(payload, path, this.values)})`;
  }
}
