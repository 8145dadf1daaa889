import type { Client } from 'pg';
import type { BuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { aKilledService, type KilledService } from '../support/killed-service';

const PEOPLE = 12_000;

const KINDS: readonly (readonly [string, object])[] = [
  ['traits', { field: 'letter', operator: 'in', value: ['a', 'b'] }],
  [
    'what is in events',
    {
      event: 'Letter',
      where: [{ field: 'properties.letter', operator: 'in', value: ['a', 'b'] }],
      aggregate: 'sum',
      of: 'properties.weight',
      within: '30d',
      operator: 'gte',
      value: 2,
    },
  ],
];

describe.each(KINDS)('the computation of a segment by %s', (_, rule) => {
  let killed: KilledService;
  let database: Client;
  let blocker: Client;
  let service: BuiltService;

  beforeAll(async () => {
    killed = await aKilledService();
    ({ database, blocker } = killed);
    // Wide rows, so that there are several ranges of blocks to compute.
    await database.query(
      `insert into profile (subject, traits, event_count)
       select 'u:' || lpad(n::text, 6, '0'),
         jsonb_build_object('letter', chr(97 + n % 3), 'padding', repeat('x', 1800)), 1
       from generate_series(1, ${PEOPLE}) n`,
    );
  });
  afterAll(async () => {
    await service.stop();
    await killed.close();
  });

  it('goes on where it was when the process is killed in the middle of it', async () => {
    service = await killed.start();
    // It has made the partitions for them.
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:' || lpad(n::text, 6, '0'), now() - interval '1 hour',
         (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n * 2 + twice), 12, '0'))::uuid,
         gen_random_uuid(), 'track', 'Letter',
         json_build_object('type', 'track', 'event', 'Letter',
           'properties', json_build_object('letter', chr(97 + n % 3), 'weight', 1))
       from generate_series(1, ${PEOPLE}) n, generate_series(1, 2) twice`,
    );
    // The range with the last person cannot be finished while this is not committed.
    await blocker.query('begin');
    await blocker.query(
      `insert into segment_member (subject, generation, member, changed_at)
       select 'u:' || lpad('${PEOPLE}', 6, '0'), 1, true, now()`,
    );
    const api = await killed.apiOf(service);
    const creation = api.post('/segments', { name: 'Killed', rules: [rule] }).catch(() => 'cut off');
    const id = await eventually(async () => {
      const { rows } = await database.query<{ id: string }>('select id from segment');
      expect(rows).toHaveLength(1);
      return rows[0]?.id ?? '';
    });
    await eventually(async () => {
      expect((await api.get(`/segments/${id}`)).body.progress).toBeGreaterThan(0);
      expect(await computedMembers()).toBeGreaterThan(0);
    });
    expect(await service.kill()).toBe('SIGKILL');
    expect(await creation).toBe('cut off');
    const done = await computedMembers();
    expect(done).toBeLessThan((PEOPLE * 2) / 3);
    await blocker.query('rollback');

    const before = await database.query('select subject, xmin from segment_member order by subject');
    service = await killed.start();
    const again = await killed.apiOf(service);
    await eventually(async () =>
      expect((await again.get(`/segments/${id}`)).body).toMatchObject({
        state: 'live',
        progress: 1,
        memberCount: (PEOPLE * 2) / 3,
      }),
    );
    const expected = await database.query<{ subject: string }>(
      `select substr(subject, 3) as subject from profile where traits ->> 'letter' in ('a', 'b') order by 1`,
    );
    expect((await again.get(`/segments/${id}/members`)).body).toEqual(
      expected.rows.map(({ subject }) => subject),
    );
    // What was computed before was not computed again.
    const kept = await database.query(
      `select subject, xmin from segment_member where subject = any($1) order by subject`,
      [before.rows.map(({ subject }: { subject: string }) => subject)],
    );
    expect(kept.rows).toEqual(before.rows);
  });

  async function computedMembers(): Promise<number> {
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::integer as count from segment_member',
    );
    return rows[0]?.count ?? 0;
  }
});
