import type { QueryResultRow } from 'pg';
import type { Database, PreparedStatement, Tx } from '../database/database';
import type { Lookout, Watch } from './lookout';

/** What operators define in PostgreSQL, and what processes make of it in memory. */
interface Original<Row, Value> {
  /** Unique among the copies of the service. */
  readonly name: string;
  /** A query of one number, which each change raises in its own transaction. */
  readonly versionSql: string;
  readonly rowsSql: string;
  /** Called with all rows, first with none. */
  readonly build: (rows: readonly Row[]) => Value;
}

/**
 * A copy in memory of what operators define. Whoever is about to act on it asks for the number of the last change
 * ({@link refresh}), alone or along with rows of its own; a look every second keeps idle processes up to date
 * ({@link follow}). So a change holds at once where it is asked for, and within about a second everywhere else.
 */
export class LiveCopy<Row extends QueryResultRow, Value> {
  private current: Value;
  private version = -1;
  private loading: Promise<Value> | undefined;
  /** Loads for all callers, so far. */
  private begun = 0;
  private readonly readVersion: PreparedStatement;
  private readonly readAllSql: string;

  constructor(
    private readonly original: Original<Row, Value>,
    private readonly database: Database,
  ) {
    const { name, versionSql, rowsSql, build } = original;
    this.current = build([]);
    this.readVersion = { name: `${name}_version`, text: `select (${versionSql})::text as version` };
    // One statement, one snapshot: the number belongs to exactly these rows.
    this.readAllSql = `
      select (${versionSql})::text as copy_version, r.*
      from (select) one left join (select true as is_row, q.* from (${rowsSql}) q) r on true`;
  }

  /** As of the last refresh; another object after each change. */
  get value(): Value {
    return this.current;
  }

  /** Looks for changes every second. */
  follow(lookout: Lookout, report: (error: unknown) => void): Watch {
    return lookout.watch<string>({
      sql: this.readVersion.text,
      act: (version) => this.refresh(version),
      report,
    });
  }

  /**
   * Makes the copy what is in the database, as of now or of `version` when the caller has read that number with its own
   * rows.
   * @param tx the transaction of the caller, if it is in one: reads over its connection only. It must not have changed
   * the original itself
   */
  async refresh(version?: string, tx?: Tx): Promise<Value> {
    const wanted = Number(version ?? (await this.askVersion(tx ?? this.database)));
    // A lower number too: PostgreSQL has gone back to before a change, as in a failover that loses some.
    if (wanted === this.version) return this.current;
    // A caller that holds a connection does not wait for others who may be waiting for one.
    if (tx !== undefined) return this.load(tx);
    // A load that is under way may have begun before the change; one that begins from here on has not.
    const { begun } = this;
    for (;;) {
      const { loading, begun: awaited } = this;
      if (loading === undefined) return this.loadForAll();
      // The caller that has begun it has its error; the others load for themselves.
      const isLoaded = await loading.then(
        () => true,
        () => false,
      );
      if (wanted === this.version || (isLoaded && awaited > begun)) return this.current;
    }
  }

  private async askVersion(tx: Tx): Promise<string | undefined> {
    const [row] = await tx.query<{ version: string }>(this.readVersion);
    return row?.version;
  }

  private loadForAll(): Promise<Value> {
    this.begun += 1;
    const loading = this.load(this.database).finally(() => (this.loading = undefined));
    this.loading = loading;
    return loading;
  }

  private async load(tx: Tx): Promise<Value> {
    const { current } = this;
    const rows = await tx.query<Row & { copy_version: string; is_row: true | null }>(this.readAllSql);
    const version = Number(rows[0]?.copy_version);
    // Others have loaded meanwhile, what may be newer or older: the number tells.
    const isOvertaken = this.current !== current && version < this.version;
    if (version !== this.version && !isOvertaken) {
      this.current = this.original.build(rows.filter(({ is_row: isRow }) => isRow));
      this.version = version;
    }
    return this.current;
  }
}
