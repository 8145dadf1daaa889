import type { Tx } from '../database';

/** Of each resource whose versions are kept: the oldest go. */
const MAX_VERSIONS = 1_000;
const VERSION = /^\d{1,9}$/;

/** That there was a version. */
export interface VersionEntry {
  readonly version: number;
  readonly createdAt: Date;
}

interface VersionTable<Content extends object> {
  readonly table: string;
  /** The column with the id of the resource. */
  readonly of: string;
  /** What a version has beside its number and its time. */
  readonly columns: readonly (keyof Content & string)[];
}

/** The versions of the resources of one kind, in a table of their own. */
export class Versions<Content extends object> {
  private readonly columns: VersionTable<Content>['columns'];
  private readonly writeSql: string;
  private readonly listSql: string;
  private readonly readSql: string;

  constructor({ table, of, columns }: VersionTable<Content>) {
    this.columns = columns;
    const values = columns.map((_, index) => `$${index + 3}`);
    this.writeSql = `
      with dropped as (delete from ${table} where ${of} = $1 and version <= $2 - ${MAX_VERSIONS})
      insert into ${table} (${of}, version, ${columns.join(', ')}) values ($1, $2, ${values.join(', ')})`;
    this.listSql = `
      select version, created_at as "createdAt" from ${table} where ${of} = $1 order by version desc`;
    this.readSql = `
      select version, created_at as "createdAt", ${columns.join(', ')} from ${table}
      where ${of} = $1 and version = $2`;
  }

  /** Writes down a version, once and for ever. */
  async write(id: string, version: number, content: Content, tx: Tx): Promise<void> {
    await tx.query(this.writeSql, [id, version, ...this.columns.map((column) => content[column])]);
  }

  /** Newest first. */
  list(id: string, tx: Tx): Promise<VersionEntry[]> {
    return tx.query<VersionEntry>(this.listSql, [id]);
  }

  /** @param version as somebody wrote it, or a number */
  async find(id: string, version: string | number, tx: Tx): Promise<(VersionEntry & Content) | undefined> {
    if (!VERSION.test(String(version))) return undefined;
    const [row] = await tx.query<VersionEntry & Content>(this.readSql, [id, Number(version)]);
    return row;
  }
}
