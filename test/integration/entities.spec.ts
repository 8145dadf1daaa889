import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type EntityMetadata, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Config } from '../../src/platform/config/config';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import { Database } from '../../src/platform/database/database';
import { LostRaceError } from '../../src/platform/database/failure';
import { identityExport } from '../../src/profiles/reading/export-profiles';
import { Source } from '../../src/sources/source.entity';
import { SourceRepository } from '../../src/sources/source.repository';
import { Transformation } from '../../src/transformations/transformation.entity';
import { TransformationRepository } from '../../src/transformations/transformation.repository';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const SRC = join(__dirname, '../../src');

/** Columns of `profile` that say nothing of a person: for processes of earlier versions, and how an id was met. */
const FOR_THE_SERVICE = new Set(['only_aliased']);

/** All classes in files that are called `….entity.ts`. */
function allEntities(): (new () => object)[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.entity.ts'),
  );
  return files
    .flatMap((file) => Object.values(require(join(SRC, file)) as Record<string, unknown>))
    .filter((value): value is new () => object => typeof value === 'function');
}

/** The columns of the table $1, in alphabetical order. */
const columnsSql = `
  select a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable",
    coalesce(a.attnum = any(k.conkey), false) as "isPrimary"
  from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
  order by a.attname collate "C"`;

const backendSql = 'select pg_backend_pid() as pid, pg_current_xact_id()::text as xact';

describe('entities', () => {
  let test: TestDatabase;
  let database: Database;
  let dataSource: DataSource;
  let sources: SourceRepository;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
    dataSource = await new DataSource({
      ...dataSourceOptions(test.url),
      entities: allEntities(),
    }).initialize();
    const transformations = new TransformationRepository(dataSource.getRepository(Transformation), database);
    sources = new SourceRepository(dataSource.getRepository(Source), database, transformations);
  });
  afterAll(async () => {
    await Promise.all([database.close(), dataSource.destroy()]);
    await test.drop();
  });

  function aSource(): Source {
    const id = uuidv7();
    return Object.assign(new Source(), {
      id,
      name: id,
      description: '',
      enabled: true,
      writeKeyHash: Buffer.from(id),
      writeKeySealed: '',
      previousWriteKeyHash: null,
      previousWriteKeyExpiresAt: null,
      version: 1,
    });
  }

  it('are those of the migrations: columns, types, nulls and keys', async () => {
    const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(described).toEqual(
      expect.arrayContaining(['source', 'destination', 'segment', 'customer_group', 'event', 'delivery']),
    );
    for (const metadata of dataSource.entityMetadatas) {
      expect({ [metadata.tableName]: columnsOf(metadata) }).toEqual({
        [metadata.tableName]: await database.query(columnsSql, [metadata.tableName]),
      });
    }
  });

  function columnsOf({ columns }: EntityMetadata): object[] {
    return columns
      .map((column) => ({
        name: column.databaseName,
        type: dataSource.driver.normalizeType(column) + (column.isArray ? '[]' : ''),
        isNullable: column.isNullable,
        isPrimary: column.isPrimary,
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  it('of a profile are in what a person is given of it', async () => {
    const columns = await database.query<{ name: string }>(columnsSql, ['profile']);
    const kept = columns.map(({ name }) => name).filter((name) => !FOR_THE_SERVICE.has(name));
    expect(kept.filter((name) => !new RegExp(`', ${name}\\b`).test(identityExport.sql))).toEqual([]);
  });

  describe('in a change', () => {
    it('share connection, transaction and limits with SQL', async () => {
      await sources.change(async (repository: Repository<Source>, tx) => {
        expect(await repository.query(backendSql)).toEqual(await tx.query(backendSql));
        expect(await repository.query('show idle_in_transaction_session_timeout')).toEqual([
          { idle_in_transaction_session_timeout: '30s' },
        ]);
        const source = await repository.save(aSource());
        expect(await tx.query('select id from source where id = $1', [source.id])).toHaveLength(1);
        expect(await sources.exists(source.id)).toBe(false);
      });
    });

    it('are undone together with SQL', async () => {
      const source = aSource();
      const failing = sources.change(async (repository) => {
        await repository.save(source);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await sources.exists(source.id)).toBe(false);
    });

    it('are tried again when another transaction was faster', async () => {
      const source = aSource();
      let tries = 0;
      await sources.change(async (repository) => {
        await repository.save(source);
        tries += 1;
        if (tries === 1) throw new LostRaceError();
      });
      expect(tries).toBe(2);
      expect(await sources.exists(source.id)).toBe(true);
    });
  });
});
