import { Config } from '../../src/platform/config/config';
import { Database, type Tx } from '../../src/platform/database/database';
import { mayPass } from '../../src/platform/database/failure';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const addSql = { name: 'add_number', text: 'insert into number (n) values ($1)' };

describe.each([
  ['prepared statements', {}],
  ['plain statements', { CDP_DATABASE_PREPARED_STATEMENTS: 'false' }],
])('a transaction with %s', (_, env) => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url, CDP_DATABASE_POOL_SIZE: '1', ...env }));
    await database.query('create table number (n int primary key)');
  });
  beforeEach(() => database.query('truncate number'));
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const add = (n: number, tx: Tx): Promise<unknown> => tx.query(addSql, [n]);
  const numbers = async (): Promise<number[]> =>
    (await database.query<{ n: number }>('select n from number order by n')).map(({ n }) => n);

  it('runs statements that do not wait for each other in the order of the calls', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [, seen] = await database.transaction((tx) =>
        Promise.all([add(round, tx), tx.query<{ n: number }>('select n from number order by n')]),
      );
      expect(seen.map(({ n }) => n)).toEqual(Array.from({ length: round + 1 }, (__, n) => n));
    }
    expect(await numbers()).toEqual([0, 1, 2]);
  });

  it('runs a statement with the settings that it asks for, whether it is the first or not', async () => {
    const shown = { text: `select current_setting('statement_timeout') as limit`, limitMs: 123_456 };
    const limitOf = async (tx: Tx): Promise<string | undefined> =>
      (await tx.query<{ limit: string }>(shown))[0]?.limit;
    expect(await limitOf(database)).toBe('123456ms');
    const inside = await database.transaction(async (tx) => [
      await limitOf(tx),
      await add(1, tx).then(() => limitOf(tx)),
    ]);
    expect(inside).toEqual(['123456ms', '123456ms']);
    // As long as the service waits for it.
    const usual = await database.transaction(async (tx) => {
      await limitOf(tx);
      return tx.query(`select current_setting('statement_timeout') as limit`);
    });
    expect(usual).toEqual([{ limit: '24s' }]);
    await expect(database.query({ text: 'select pg_sleep(60)', limitMs: 1 })).rejects.toMatchObject({
      code: '57014',
    });
  });

  it('fails with the first statement that fails, and leaves nothing', async () => {
    for (let round = 0; round < 3; round += 1) {
      await expect(
        database.transaction((tx) => Promise.all([add(1, tx), add(1, tx), add(2, tx)])),
      ).rejects.toMatchObject({ code: '23505' });
    }
    expect(await numbers()).toEqual([]);
  });

  it('fails with the first that fails, whatever its settings, also where the others have none', async () => {
    const failing = { text: 'select 1 / 0', limitMs: 60_000 };
    for (let round = 0; round < 3; round += 1) {
      await expect(
        database.transaction((tx) => Promise.all([tx.query(failing), add(1, tx), tx.query('select')])),
      ).rejects.toMatchObject({ code: '22012' });
    }
  });

  it('fails with what failed first where another one that travels with it is waited for', async () => {
    const failing = { text: 'select 1 / 0' };
    for (let round = 0; round < 3; round += 1) {
      await expect(
        database.transaction(async (tx) => {
          await tx.query('select');
          tx.query(failing).catch(() => undefined);
          await tx.query('select');
        }),
      ).rejects.toMatchObject({ code: '22012' });
    }
  });

  it('fails when it was undone, although nobody minded the statement that failed', async () => {
    await expect(
      database.transaction(async (tx) => {
        await add(1, tx);
        await tx.query('select 1 / 0').catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await numbers()).toEqual([]);
  });

  it('tells what fails behind a savepoint by its own error', async () => {
    await expect(
      database.transaction(async (tx) => {
        await tx.query('savepoint here');
        await expect(tx.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
        await tx.query('rollback to savepoint here');
        await tx.query('select');
        await Promise.all([tx.query(`select 'x'::int`), tx.query('select')]);
      }),
    ).rejects.toMatchObject({ code: '22P02' });
  });

  it('commits what was sent and nobody waited for, in the order of the calls', async () => {
    for (let round = 0; round < 3; round += 1) {
      const seen = await database.transaction(async (tx) => {
        await tx.query('select');
        tx.send(addSql, [2 * round]);
        const between = await tx.query<{ n: number }>('select n from number');
        tx.send(addSql, [2 * round + 1]);
        return between.length;
      });
      expect(seen).toBe(2 * round + 1);
    }
    expect(await numbers()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ['the commit', () => Promise.resolve([])],
    ['what follows', (tx: Tx) => tx.query('select')],
  ])('fails by %s when a statement failed that nobody waited for, and leaves nothing', async (__, follow) => {
    for (let round = 0; round < 3; round += 1) {
      await expect(
        database.transaction(async (tx) => {
          await add(1, tx);
          tx.send(addSql, [1]);
          tx.send(addSql, [2]);
          await follow(tx);
        }),
      ).rejects.toMatchObject({ code: '23505' });
    }
    expect(await numbers()).toEqual([]);
  });

  it('runs nothing for somebody who was not waited for when it failed', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await expect(
      database.transaction(async (tx) => {
        await add(1, tx);
        later = tx.query('select pg_sleep(0.05)').then(() => add(2, tx));
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    await expect(later).rejects.toThrow('The transaction has ended.');
    expect(await numbers()).toEqual([]);
  });

  it('begins no other once it has ended', async () => {
    let ended: Tx | undefined;
    await database.transaction(async (tx) => void (ended = tx));
    await expect(add(1, ended!)).rejects.toThrow('The transaction has ended.');
    let late: Promise<unknown> = Promise.resolve();
    await expect(
      database.transaction(async (tx) => {
        // It is still to begin when the transaction is given up.
        late = tx.query('insert into number values (2)');
        late.catch(() => undefined);
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    await expect(late).rejects.toThrow('The transaction has ended.');
    expect(await numbers()).toEqual([]);
    await expect(ended!.query('select')).rejects.toThrow('The transaction has ended.');
    // In a transaction it would be the time at which that began.
    expect(await database.query('select now() = statement_timestamp() as "isFree"')).toEqual([
      { isFree: true },
    ]);
  });

  /** What a pooler does between two clients. */
  const loseStatements = (): Promise<unknown> => database.query('deallocate all');

  it('runs no statement outside of it when what was prepared is lost', async () => {
    await database.transaction((tx) => add(1, tx));
    await loseStatements();
    const outcome = await database
      .transaction((tx) => Promise.all([add(2, tx), tx.query('insert into number values (3)')]))
      .then(
        () => [1, 2, 3],
        () => [1],
      );
    expect(await numbers()).toEqual(outcome);
  });

  it('works again on another connection when what was prepared is lost', async () => {
    await database.transaction((tx) => add(1, tx));
    await loseStatements();
    const failure = await database
      .transaction((tx) => add(2, tx))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect([true, undefined]).toContain(failure && mayPass(failure));
    await database.transaction((tx) => add(3, tx));
    expect(await numbers()).toContain(3);
  });
});
