import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { aSource } from '../support/a-source';
import { ApiClient } from '../support/api-client';
import type { BuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { aKilledService, type KilledService } from '../support/killed-service';

const EVENTS = 12_000;
/** Until another process takes it for left, and then some. */
const RESUMED_MS = 60_000;

describe('the erasure of a person with many events', () => {
  let killed: KilledService;
  let database: Client;
  let blocker: Client;
  let service: BuiltService;

  beforeAll(async () => {
    killed = await aKilledService();
    ({ database, blocker } = killed);
  });
  afterAll(async () => {
    await service.stop();
    await killed.close();
  });

  async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
    return (await database.query<Record<string, unknown>>(sql)).rows;
  }

  it('goes on where it was when the process is killed in the middle of it', async () => {
    service = await killed.start();
    const { writeKey } = await aSource(killed.databaseUrl);
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:cut-off', now() - n * interval '1 second',
         (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
         gen_random_uuid(), 'track', 'Seen', '{"type": "track", "event": "Seen", "userId": "cut-off"}'
       from generate_series(1, ${EVENTS}) as n`,
    );
    await database.query(
      `insert into profile (subject, traits, event_count) values ('u:cut-off', '{"email": "cut-off@example.com"}', ${EVENTS})`,
    );
    // The part with the newest event cannot be finished while this is not committed.
    await blocker.query('begin');
    await blocker.query(
      `select from event where subject = 'u:cut-off' order by "timestamp" desc limit 1 for update`,
    );
    const deletion = killed
      .apiOf(service)
      .then((api) => api.delete('/profiles/cut-off?suppress=true'))
      .catch(() => 'cut off');
    await eventually(async () =>
      expect(await rowsOf('select from erasure where events > 0 and events < 12000')).toHaveLength(1),
    );
    expect(await service.kill()).toBe('SIGKILL');
    expect(await deletion).toBe('cut off');
    await blocker.query('rollback');
    expect(await rowsOf(`select from profile where subject = 'u:cut-off'`)).toHaveLength(1);
    expect((await rowsOf(`select from event where subject = 'u:cut-off'`)).length).toBeGreaterThan(0);

    service = await killed.start();
    // Before the end of the erasure: it goes, too.
    const events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    const again = { userId: 'cut-off', event: 'Meanwhile', messageId: randomUUID() };
    expect(await events.post('/v1/track', again)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await rowsOf('select from erasure')).toEqual([]), RESUMED_MS);
    for (const table of ['event', 'profile', 'profile_day', 'segment_member'])
      expect([table, await rowsOf(`select from ${table} where subject = 'u:cut-off'`)]).toEqual([table, []]);
    const api = await killed.apiOf(service);
    expect((await api.get('/audit?resource=profile')).body).toMatchObject([
      { action: 'erase', after: { suppressed: true, deleted: { events: EVENTS + 1, identities: 1 } } },
    ]);
  });
});
