import type { AuditQueryDto } from '../../src/platform/audit/audit-query.dto';
import { readEntries } from '../../src/platform/audit/read-entries';
import type { Tx } from '../../src/platform/database/database';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const ENTRIES = 50_000;
/** PostgreSQL looks at more than 700 pages to walk through all entries. */
const FEW_BUFFERS = 300;

/** One entry of a person in the middle of what a script has written, a minute apart. */
describe('a search of an audit that a script has filled', () => {
  let test: ConnectedDatabase;

  beforeAll(async () => {
    test = await connectTestDatabase();
    await test.client.query(
      `with entry as (
         select n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute' as at, n = $1 / 2 as of_ada
         from generate_series(1, $1::int) as n
       )
       insert into audit_entry (id, at, actor, request_id, action, resource, resource_id)
       select
         (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid, at,
         case when of_ada then 'ada' else 'script' end, 'request',
         case when of_ada then 'update' else 'erase' end,
         case when of_ada then 'source' else 'profile' end,
         case when of_ada then 'shop' else md5(n::text) end
       from entry`,
      [ENTRIES],
    );
    await test.client.query('analyze audit_entry');
  });
  afterAll(() => test.drop());

  /** The entries that are found, and on how many pages PostgreSQL has looked. */
  async function search(query: Partial<AuditQueryDto>): Promise<{ found: number; buffers: number }> {
    let buffers = 0;
    const tx = {
      query: async (sql: string, values: (string | number | null)[]) => {
        await test.client.query('begin; set local plan_cache_mode = force_custom_plan');
        await test.client.query(`prepare search as ${sql}`);
        const given = values.map((value) => (value === null ? 'null' : `'${value}'`));
        const { rows } = await test.client.query(
          `explain (analyze, buffers, format json) execute search(${given.join()})`,
        );
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        await test.client.query('rollback; deallocate search');
        return Array.from({ length: plan['Actual Rows'] });
      },
    };
    const entries = await readEntries(query as AuditQueryDto, 100, tx as unknown as Tx);
    return { found: entries.length, buffers };
  }

  it.each<[Partial<AuditQueryDto>, number]>([
    [{}, 100],
    [{ resource: 'source' }, 1],
    [{ resourceId: 'shop' }, 1],
    [{ resource: 'source', resourceId: 'shop' }, 1],
    [{ action: 'update' }, 1],
    [{ actor: 'ada' }, 1],
    [{ resource: 'profile', action: 'erase', actor: 'script' }, 100],
    [{ resource: 'segment', actor: 'script' }, 0],
    [{ actor: 'ada', from: '2026-01-18T00:00:00.000Z', to: '2026-01-19T00:00:00.000Z' }, 1],
    [{ resource: 'profile', to: '2026-01-01T01:00:00.000Z' }, 59],
    [{ from: '2026-01-01T00:10:00.000Z', to: '2026-01-01T00:20:00.000Z' }, 10],
  ])('for %j finds %i without looking at most of it', async (query, expected) => {
    const { found, buffers } = await search(query);
    expect(found).toBe(expected);
    expect(buffers).toBeLessThan(FEW_BUFFERS);
  });
});
