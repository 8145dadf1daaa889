import { Database } from '../../src/platform/database/database';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { lookOften, Office, untilLookedTwice } from '../support/office';
import { isSignedWith, Receiver } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_TIMEOUT_MS: '5000',
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '100',
  CDP_DELIVERY_MAX_ATTEMPTS: '2',
};
const HEALTH = ['destination_degraded', 'destination_disabled', 'destination_recovered'];

describe('notices about the service', () => {
  let database: TestDatabase;
  let services: TestService[];
  let api: ApiClient;
  let receiver: Receiver;
  /** Where operators are told. */
  let office: Office;

  beforeAll(async () => {
    database = await createTestDatabase();
    await startTwo();
    await lookOften(services[0]!);
  });
  afterAll(async () => {
    await stopAll();
    await database.drop();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    office = await Office.open();
  });
  afterEach(async () => {
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
    await receiver.stop();
    await office.close();
  });

  async function startTwo(): Promise<void> {
    const start = (): Promise<TestService> => startTestService({ env: FAST, databaseUrl: database.url });
    services = [await start(), await start()];
    api = await anApiClient(services[0]!);
  }

  async function stopAll(): Promise<void> {
    for (const service of services) await service.close();
  }

  async function aDestination(
    name: string,
    url: string,
    more: object = {},
  ): Promise<{ id: string; config: { secret: string } }> {
    const { status, body } = await api.post('/destinations', {
      name,
      type: 'webhook',
      config: { url },
      ...more,
    });
    expect(status).toBe(201);
    return body;
  }

  async function deliverSome(count: number): Promise<void> {
    await deliver(
      services[0]!,
      Array.from({ length: count }, () => anEvent()),
    );
  }

  it('tell once, signed, that a destination is degraded, and that it is healthy again', async () => {
    const { config } = await office.ask(api, HEALTH);
    const { id } = await aDestination('Shop', receiver.url);
    receiver.answer(500);
    await deliverSome(1);
    const [degraded] = await office.untilTold('destination_degraded');
    expect(degraded).toMatchObject({
      type: 'notice',
      text: 'Destination "Shop" is degraded (many_failures).',
      properties: {
        destinationId: id,
        destinationName: 'Shop',
        state: 'degraded',
        reason: 'many_failures',
        since: expect.stringMatching(/Z$/),
      },
    });
    expect(isSignedWith(config.secret, office.receiver.received[0]!)).toBe(true);
    receiver.answer(200);
    await deliverSome(40);
    const [, recovered] = await office.untilTold('destination_degraded', 'destination_recovered');
    expect(recovered).toMatchObject({
      properties: { destinationId: id, state: 'healthy', previousState: 'degraded' },
    });
    expect(office.receiver.ids()).toHaveLength(2);
  });

  it('tell of a destination that is down what its statistics say of it, and nothing of a pause', async () => {
    await office.ask(api, HEALTH);
    const { id } = await aDestination('Shop', receiver.url);
    receiver.answer(503);
    await deliverSome(20);
    const [degraded] = await office.untilTold('destination_degraded');
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${id}/stats`);
      expect(body.health).toMatchObject({ state: 'degraded', reason: 'http_5xx' });
    });
    await api.post(`/destinations/${id}/pause`);
    await untilLookedTwice(services[0]!, 'destinations');
    await office.untilTold('destination_degraded');
    receiver.answer(200);
    await api.post(`/destinations/${id}/resume`);
    await deliverSome(40);
    await office.untilTold('destination_degraded', 'destination_recovered');
    expect(degraded?.properties.destinationId).toBe(id);
  });

  it('tell that the service switched a destination off, to those who asked for that', async () => {
    await office.ask(api, ['destination_disabled']);
    const { id } = await aDestination('Shop', receiver.url);
    receiver.answer(410);
    await deliverSome(1);
    const [disabled] = await office.untilTold('destination_disabled');
    expect(disabled?.properties).toMatchObject({ destinationId: id, state: 'disabled', reason: 'gone' });
    receiver.answer(200);
    await api.post(`/destinations/${id}/resume`);
    await deliverSome(1);
    await eventually(async () => expect(await kept(id)).toEqual([]));
    receiver.answer(410);
    await deliverSome(1);
    await office.untilTold('destination_disabled', 'destination_disabled');
    await api.delete(`/destinations/${id}`);
    await eventually(async () => expect(await kept(id)).toEqual([]));
    await office.untilTold('destination_disabled', 'destination_disabled');
  });

  it('go to others only when they are about their own receiver, so that none leads to another', async () => {
    const down = await Receiver.start();
    down.answer(500);
    const { id } = await aDestination('Office that is down', down.url, { notices: HEALTH });
    await office.ask(api, HEALTH);
    await deliverSome(1);
    const [degraded] = await office.untilTold('destination_degraded');
    expect(degraded?.properties.destinationId).toBe(id);
    expect(await kept(id)).toEqual(['degraded']);
    const rows = await ledgerOf(services[0]!, id);
    expect(rows.map((row) => (row as unknown as { event_type: string }).event_type)).toEqual(['track']);
    await down.stop();
  });

  it('are told once, also when they could not be written at first, and over a restart of all processes', async () => {
    // A sequence counts on when the transaction is rolled back.
    await tables().query('create sequence refused');
    await tables().query(`
      create function refuse_notices() returns trigger language plpgsql as $$
      begin perform nextval('refused'); raise exception 'no notices today'; end $$`);
    await tables().query(`
      create trigger refuse_notices_tr before insert on delivery
      for each row when (new.event_type = 'notice') execute function refuse_notices()`);
    await office.ask(api, HEALTH);
    const { id } = await aDestination('Shop', receiver.url);
    receiver.answer(500);
    await deliverSome(1);
    await eventually(async () => {
      const [refused] = await tables().query<{ times: number }>(
        'select last_value::int as times from refused',
      );
      expect(refused!.times).toBeGreaterThan(1);
    });
    expect(await kept(id)).toEqual([]);
    await tables().query('drop function refuse_notices cascade');
    await office.untilTold('destination_degraded');
    await stopAll();
    await startTwo();
    receiver.answer(200);
    await deliverSome(40);
    await office.untilTold('destination_degraded', 'destination_recovered');
    expect(office.receiver.ids()).toHaveLength(2);
  });

  it('are forgotten once nobody asks, so that whoever asks next is told what is the matter', async () => {
    const { id: officeId } = await office.ask(api, HEALTH);
    const { id } = await aDestination('Shop', receiver.url);
    receiver.answer(500);
    await deliverSome(1);
    await office.untilTold('destination_degraded');
    expect(await kept(id)).toEqual(['degraded']);
    await api.delete(`/destinations/${officeId}`);
    await eventually(async () => expect(await kept(id)).toEqual([]));
    await office.ask(api, HEALTH);
    await office.untilTold('destination_degraded', 'destination_degraded');
  });

  it('take no connector for missing that another worker has, as during an upgrade', async () => {
    await office.ask(api, HEALTH);
    const { id } = await aDestination('CRM', receiver.url);
    await tables().query(`insert into delivery_worker (beats, connectors) values (1, '{crm}')`);
    await tables().query(`update destination set type = 'crm' where id = $1`, [id]);
    await eventually(async () => {
      expect((await api.get(`/destinations/${id}`)).body.connectorInstalled).toBe(false);
    });
    await untilLookedTwice(services[0]!, 'destinations');
    expect(office.told).toEqual([]);
    expect((await api.get(`/destinations/${id}/stats`)).body.health.state).toBe('healthy');
    await tables().query(`delete from delivery_worker where connectors = '{crm}'`);
    const [degraded] = await office.untilTold('destination_degraded');
    expect(degraded?.properties).toMatchObject({ destinationId: id, reason: 'connector_not_installed' });
  });

  /** What is kept of what was told. */
  async function kept(id: string): Promise<string[]> {
    const sql = 'select state from told_state where about_id = $1';
    return (await tables().query<{ state: string }>(sql, [id])).map(({ state }) => state);
  }

  function tables(): Database {
    return services[0]!.app.get(Database);
  }
});
