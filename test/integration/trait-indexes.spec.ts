import type { Client } from 'pg';
import { anApiClient, type ApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

/** More than a page looks at without an index. */
const PEOPLE = 30_000;
const TRAIT = `owner's "badge"`;
const BEGINNING = 'x'.repeat(5_000);

describe('traits that are searched by an index', () => {
  let test: ConnectedDatabase;
  let client: Client;
  let service: TestService;

  beforeAll(async () => {
    test = await connectTestDatabase();
    client = test.client;
    // The last ones are those to be found.
    await client.query(
      `insert into profile (subject, traits, event_count)
       select 'u:p' || lpad(n::text, 6, '0'),
         jsonb_build_object('plan', case when n % 2 = 0 then 'pro' else 'free' end, $2::text, case
           when n > $1::int - 3 then 'rare' when n = $1::int - 3 then $3 || 'a' when n = $1::int - 4 then $3 || 'b' end), 1
       from generate_series(1, $1::int) as n`,
      [PEOPLE, TRAIT, BEGINNING],
    );
  });
  afterEach(() => service.close());
  afterAll(() => test.drop());

  async function start(indexedTraits: string): Promise<ApiClient> {
    service = await startTestService({
      databaseUrl: test.url,
      env: { CDP_INDEXED_TRAITS: indexedTraits },
    });
    return anApiClient(service);
  }

  const completeIndexes = async (): Promise<number> =>
    (
      await client.query(
        `select from pg_index join pg_class as c on c.oid = indexrelid where relname like 'profile_trait_%' and indisvalid`,
      )
    ).rows.length;

  async function found(api: ApiClient, ...queries: string[]): Promise<string[]> {
    const query = queries.map((one) => `trait=${encodeURIComponent(one)}`).join('&');
    const { body } = await api.get<{ userId: string }[]>(`/profiles?${query}`);
    return body.map(({ userId }) => userId);
  }

  it('finds the few who have a value in the first page, and tells values apart that begin the same', async () => {
    const api = await start(`plan, ${TRAIT}`);
    await eventually(async () => expect(await completeIndexes()).toBe(2), 30_000);
    expect(await found(api, `${TRAIT}:rare`)).toEqual(['p029998', 'p029999', 'p030000']);
    expect(await found(api, `${TRAIT}:rare`, 'plan:pro')).toEqual(['p029998', 'p030000']);
    expect(await found(api, `${TRAIT}:${BEGINNING.slice(0, 300)}`)).toEqual([]);
    expect(await found(api, `${TRAIT}:none`)).toEqual([]);
    const pages = await api.get<unknown[]>('/profiles?trait=plan:pro&limit=1000');
    expect(pages.body).toHaveLength(1_000);
    expect(pages.headers.get('link')).toContain('cursor=');
    const { rows } = await client.query<{ traits: Record<string, string> }>(
      `select traits from profile where subject = 'u:p029997'`,
    );
    expect(rows[0]?.traits[TRAIT]).toBe(`${BEGINNING}a`);
  });

  it('makes one again that was not completed, and drops it when the trait is not named any more', async () => {
    await client.query(`update pg_index set indisvalid = false where indrelid = 'profile'::regclass
      and indexrelid = (select max(oid) from pg_class where relname like 'profile_trait_%')`);
    await start(`plan, ${TRAIT}`);
    await eventually(async () => expect(await completeIndexes()).toBe(2), 30_000);
    await service.close();
    const api = await start('');
    await eventually(async () => {
      const { rows } = await client.query(`select from pg_class where relname like 'profile_trait_%'`);
      expect(rows).toEqual([]);
    }, 30_000);
    // As far as a page looks.
    expect(await found(api, `${TRAIT}:rare`)).toEqual([]);
  });
});
