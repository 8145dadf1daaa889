import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { startTestService, type TestService } from '../support/test-service';

/** They count what is changed by hand. Citus runs none: what the service changes is counted without them. */
describe('a service whose tables have no triggers', () => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let client: Client;

  beforeAll(async () => {
    service = await startTestService();
    receiver = await Receiver.start();
    api = await anApiClient(service);
    client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ sql: string }>(`
      select format('drop trigger %I on %s', tgname, tgrelid::regclass) as sql from pg_trigger
      join pg_class c on c.oid = tgrelid
      where not tgisinternal and c.relnamespace = current_schema()::regnamespace`);
    expect(rows).not.toEqual([]);
    for (const { sql } of rows) await client.query(sql);
  });
  afterAll(async () => {
    await client.end();
    await service.close();
    await receiver.stop();
  });

  async function versionOf(table: string): Promise<number> {
    const { rows } = await client.query<{ version: string }>(`select version from ${table}`);
    return Number(rows[0]!.version);
  }

  async function counts(table: string, change: () => Promise<{ status: number }>): Promise<void> {
    const before = await versionOf(table);
    expect((await change()).status).toBeLessThan(300);
    expect(await versionOf(table)).toBeGreaterThan(before);
  }

  it('counts each change of a source', async () => {
    await counts('source_change', () => api.post('/sources', { name: 'Counted' }));
    const [source] = (await api.get('/sources')).body;
    await counts('source_change', () => api.put(`/sources/${source.id}`, { enabled: false }));
    await counts('source_change', () => api.post(`/sources/${source.id}/rotate-write-key`, {}));
    await counts('source_change', () => api.delete(`/sources/${source.id}`));
  });

  it('counts each change of a destination', async () => {
    const given = { name: 'Counted', type: 'webhook', config: { url: receiver.url } };
    await counts('destination_change', () => api.post('/destinations', given));
    const [{ id }] = (await api.get('/destinations')).body;
    await counts('destination_change', () => api.put(`/destinations/${id}`, { name: 'Other' }));
    await counts('destination_change', () => api.post(`/destinations/${id}/rotate-secret`, {}));
    await counts('destination_change', () => api.post(`/destinations/${id}/pause`));
    await counts('destination_change', () => api.post(`/destinations/${id}/resume`));
    await counts('destination_change', () => api.delete(`/destinations/${id}`));
  });

  it.each([
    ['resumed', (id: string) => api.post(`/destinations/${id}/resume`)],
    ['enabled', (id: string) => api.put(`/destinations/${id}`, { enabled: true })],
  ])('forgets why it switched a destination off when that is %s', async (switched, switchOn) => {
    const { writeKey } = await aSource(service.databaseUrl);
    const given = { name: `To be ${switched}`, type: 'webhook', config: { url: receiver.url } };
    const { id } = (await api.post('/destinations', given)).body;
    receiver.answer(410);
    const before = await versionOf('destination_change');
    expect(await sendTracks({ url: service.url, writeKey }, [`gone-${id}`])).toBe(200);
    await eventually(async () => {
      expect((await api.get(`/destinations/${id}`)).body).toMatchObject({
        enabled: false,
        disabledReason: 'gone',
      });
    });
    expect(await versionOf('destination_change')).toBeGreaterThan(before);
    expect((await api.get(`/destinations/${id}/stats`)).body).toMatchObject({
      health: { state: 'disabled', reason: 'gone', since: expect.any(String) },
    });
    expect((await switchOn(id)).status).toBeLessThan(300);
    expect((await api.get(`/destinations/${id}`)).body).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
    const { health } = (await api.get(`/destinations/${id}/stats`)).body;
    // Its one try has failed; but nothing is left of the outage before.
    expect(health.state).not.toBe('disabled');
    expect(health.reason).not.toBe('gone');
    const { rows } = await client.query('select * from destination_health where destination_id = $1', [id]);
    expect(rows[0]).toMatchObject({ breaker: 'closed', disabled_reason: null, disabled_at: null });
    expect((await api.delete(`/destinations/${id}`)).status).toBe(204);
  });
});
