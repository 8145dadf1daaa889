import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { WriteKeys } from '../../src/sources/write-keys';
import { aSource } from '../support/a-source';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('write keys of sources that other processes change', () => {
  let test: TestDatabase;
  let database: Database;
  let lookout: Lookout;
  let writeKeys: WriteKeys;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    lookout = new Lookout(database);
    writeKeys = new WriteKeys(database, lookout);
    lookout.onApplicationBootstrap();
  });
  afterAll(async () => {
    lookout.onModuleDestroy();
    await database.close();
    await test.drop();
  });

  it('are found as soon as they are made', async () => {
    for (let made = 0; made < 3; made += 1) {
      const { id, writeKey } = await aSource(test.url);
      expect(await writeKeys.find(writeKey)).toEqual({
        id,
        name: `test source ${id}`,
        kind: 'sdk',
        trackingPlanId: null,
      });
    }
  });

  it('are refused soon after the source was disabled, and found soon after it was enabled again', async () => {
    const { id, writeKey, disable } = await aSource(test.url);
    expect(await writeKeys.find(writeKey)).toMatchObject({ id });
    await disable();
    await eventually(async () => expect(await writeKeys.find(writeKey)).toBeUndefined());
    await database.query('update source set enabled = true where id = $1', [id]);
    await eventually(async () => expect(await writeKeys.find(writeKey)).toMatchObject({ id }));
  });

  it('of before a rotation end by the clock of PostgreSQL', async () => {
    const [old, fresh] = [await aSource(test.url), await aSource(test.url)];
    await database.query(
      `with old as (delete from source where id = $1 returning write_key_hash)
       update source set previous_write_key_hash = old.write_key_hash,
         previous_write_key_expires_at = now() + interval '2 seconds' from old where id = $2`,
      [old.id, fresh.id],
    );
    await eventually(async () => expect(await writeKeys.find(old.writeKey)).toMatchObject({ id: fresh.id }));
    await eventually(async () => expect(await writeKeys.find(old.writeKey)).toBeUndefined());
    expect(await writeKeys.find(fresh.writeKey)).toMatchObject({ id: fresh.id });
  });

  it('that were refused are not asked for again until a source changes', async () => {
    expect(await writeKeys.find('unknown')).toBeUndefined();
    const asked = jest.spyOn(database, 'query');
    expect(await writeKeys.find('unknown')).toBeUndefined();
    expect(asked.mock.calls.filter(([statement]) => nameOf(statement) === 'write_keys_version')).toEqual([]);
    asked.mockRestore();
  });
});

function nameOf(statement: unknown): unknown {
  return (statement as { name?: string }).name;
}
