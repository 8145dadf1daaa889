import { Client } from 'pg';
import { LiveCopy } from '../../src/platform/background/live-copy';
import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { startTcpProxy } from '../support/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** How long any process takes to see a change (docs/operations.md), on a machine that does other things beside. */
const SEEN_WITHIN_MS = 5_000;

interface Thing {
  readonly name: string;
}

const original = {
  name: 'things',
  versionSql: 'select version from thing_change',
  // Whoever reads waits for the gate that the rows name: so a test says when a load ends.
  rowsSql:
    'select thing.name, gate.* from thing, lateral (select pg_advisory_xact_lock_shared(thing.gate)) gate',
  build: (rows: readonly Thing[]): readonly string[] => rows.map(({ name }) => name),
};

describe('a live copy of what is in PostgreSQL', () => {
  let test: TestDatabase;
  let operator: Client;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    test = await createTestDatabase();
    operator = new Client({ connectionString: test.url });
    await operator.connect();
    await operator.query('create table thing (name text, gate integer)');
    await operator.query('create table thing_change (version bigint)');
    await operator.query('insert into thing_change values (1)');
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await operator.end();
    await test.drop();
  });

  function aDatabase(url = test.url): Database {
    const database = new Database(Config.from({ CDP_DATABASE_URL: url }));
    closing.push(() => database.close());
    return database;
  }

  /** A process that only looks. */
  function follow(
    database: Database,
    report: (error: unknown) => void = () => undefined,
  ): LiveCopy<Thing, readonly string[]> {
    const lookout = new Lookout(database);
    const copy = new LiveCopy<Thing, readonly string[]>(original, database);
    copy.follow(lookout, report);
    lookout.onApplicationBootstrap();
    closing.push(async () => lookout.onModuleDestroy());
    return copy;
  }

  async function change(name: string, gate = 0): Promise<void> {
    await operator.query('begin');
    await operator.query('delete from thing');
    await operator.query('insert into thing values ($1, $2)', [name, gate]);
    await operator.query('update thing_change set version = version + 1');
    await operator.query('commit');
  }

  it('shows every change to every process within seconds, also the last row that goes', async () => {
    const copies = [follow(aDatabase()), follow(aDatabase())];
    for (const name of ['first', 'second']) {
      await change(name);
      await eventually(
        () => expect(copies.map(({ value }) => value)).toEqual([[name], [name]]),
        SEEN_WITHIN_MS,
      );
    }
    await operator.query('with gone as (delete from thing) update thing_change set version = version + 1');
    await eventually(() => expect(copies.map(({ value }) => value)).toEqual([[], []]), SEEN_WITHIN_MS);
  });

  it('shows a change at once to whoever asks, and reads nothing where nothing has changed', async () => {
    const copy = new LiveCopy<Thing, readonly string[]>(original, aDatabase());
    await change('asked for');
    expect(await copy.refresh()).toEqual(['asked for']);
    const { value } = copy;
    expect(await copy.refresh()).toBe(value);
  });

  it('does not take a load for new that began before the change, as at boot', async () => {
    const copy = new LiveCopy<Thing, readonly string[]>(original, aDatabase());
    await change('before', 1);
    await operator.query('select pg_advisory_lock(1)');
    const atBoot = copy.refresh();
    await eventually(() => expectWaiting(1));
    await change('after', 2);
    const later = [copy.refresh(), copy.refresh(), copy.refresh()];
    await operator.query('select pg_advisory_unlock(1)');
    expect(await atBoot).toEqual(['before']);
    expect(await Promise.all(later)).toEqual([['after'], ['after'], ['after']]);
  });

  it('keeps the newer of two loads, whichever ends last', async () => {
    const database = aDatabase();
    const copy = new LiveCopy<Thing, readonly string[]>(original, database);
    await operator.query('select pg_advisory_lock(1)');
    await change('before', 1);
    const slow = database.transaction((tx) => copy.refresh(undefined, tx));
    await eventually(() => expectWaiting(1));
    await change('after', 2);
    expect(await database.transaction((tx) => copy.refresh(undefined, tx))).toEqual(['after']);
    await operator.query('select pg_advisory_unlock(1)');
    expect(await slow).toEqual(['after']);
    expect(copy.value).toEqual(['after']);
  });

  it('goes back with PostgreSQL to before a change, as after a failover that loses it', async () => {
    const database = aDatabase();
    const copies = [follow(database), new LiveCopy<Thing, readonly string[]>(original, aDatabase())];
    const told = new LiveCopy<Thing, readonly string[]>(original, aDatabase());
    for (const name of ['kept', 'lost']) await change(name);
    await eventually(() => expect(copies[0]?.value).toEqual(['lost']));
    expect(await copies[1]?.refresh()).toEqual(['lost']);
    expect(await told.refresh('3')).toEqual(['lost']);
    await operator.query(`update thing set name = 'kept'`);
    await operator.query('update thing_change set version = version - 1');
    expect(await copies[1]?.refresh()).toEqual(['kept']);
    expect(await told.refresh('2')).toEqual(['kept']);
    await eventually(() => expect(copies[0]?.value).toEqual(['kept']), SEEN_WITHIN_MS);
    await change('next');
    await eventually(() => expect(copies[0]?.value).toEqual(['next']), SEEN_WITHIN_MS);
  });

  it('loads once for all who ask at the same time', async () => {
    await operator.query('create sequence load');
    const rowsSql = `select nextval('load')::text as name from (${original.rowsSql}) r`;
    const copy = new LiveCopy<Thing, readonly string[]>({ ...original, rowsSql }, aDatabase());
    await change('before', 1);
    await operator.query('select pg_advisory_lock(1)');
    const atBoot = copy.refresh();
    await eventually(() => expectWaiting(1));
    await operator.query('update thing set name = name, gate = 2');
    await operator.query('update thing_change set version = version + 1');
    const later = Array.from({ length: 20 }, () => copy.refresh('3'));
    await operator.query('select pg_advisory_unlock(1)');
    expect(await atBoot).toEqual(['1']);
    expect(new Set((await Promise.all(later)).flat())).toEqual(new Set(['2']));
    const { rows } = await operator.query('select last_value::integer as loads from load');
    expect(rows).toEqual([{ loads: 2 }]);
  });

  it('keeps what it knows while PostgreSQL is away, tells whoever asks, and catches up by itself', async () => {
    const { hostname, port } = new URL(test.url);
    const proxy = await startTcpProxy(hostname, Number(port));
    closing.push(() => proxy.close());
    const url = new URL(test.url);
    url.port = String(proxy.port);
    const copy = follow(aDatabase(url.href));
    await change('before');
    await eventually(() => expect(copy.value).toEqual(['before']));
    await proxy.cut();
    await change('meanwhile');
    await expect(copy.refresh()).rejects.toThrow(/terminated|refused|ECONN|closed/i);
    expect(copy.value).toEqual(['before']);
    await proxy.restore();
    await eventually(() => expect(copy.value).toEqual(['meanwhile']), SEEN_WITHIN_MS);
  });

  it('reports a load that fails, and makes it again', async () => {
    const reported: unknown[] = [];
    const copy = follow(aDatabase(), (error) => reported.push(error));
    await operator.query('alter table thing rename column name to title');
    await operator.query(`insert into thing values ('there', 0)`);
    await eventually(() => expect(reported).not.toEqual([]));
    await operator.query('alter table thing rename column title to name');
    await eventually(() => expect(copy.value).toEqual(['there']), SEEN_WITHIN_MS);
  });

  async function expectWaiting(gate: number): Promise<void> {
    const { rows } = await operator.query(
      `select from pg_locks where locktype = 'advisory' and not granted and objid = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [gate],
    );
    expect(rows).toHaveLength(1);
  }
});
