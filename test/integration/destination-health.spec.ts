import { DestinationHealth } from '../../src/delivery/breaker/destination-health';
import { ActiveDestinations } from '../../src/destinations/active-destinations';
import { Lookout } from '../../src/platform/background/lookout';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { eventually } from '../support/eventually';
import { connectTestDatabase, type ConnectedDatabase } from '../support/test-database';

const LOCK = 7;

describe('which destinations are down', () => {
  let test: ConnectedDatabase;
  let database: Database;
  let lookout: Lookout;
  let health: DestinationHealth;
  let destinationId: string;
  /** How many have ended. */
  let looks = 0;

  beforeEach(async () => {
    test = await connectTestDatabase();
    const inserted = await test.client.query<{ id: string }>(
      `insert into destination (id, name, type, config, secrets_sealed)
       values (gen_random_uuid(), 'Down', 'webhook', '{}', '') returning id`,
    );
    destinationId = inserted.rows[0]!.id;
    const config = Config.from({ CDP_DATABASE_URL: test.url });
    database = new Database(config);
    lookout = new Lookout(database);
    const destinations = { get: () => undefined } as unknown as ActiveDestinations;
    health = new DestinationHealth(database, destinations, lookout, config);
    looks = 0;
    lookout.watch({
      sql: `select pg_advisory_xact_lock_shared(${LOCK}) is null`,
      act: async () => (looks += 1),
      report: () => undefined,
    });
  });
  afterEach(async () => {
    lookout.onModuleDestroy();
    await database.close();
    await test.drop();
  });

  /** Has a look begin, does something, and lets the look end. */
  async function duringALook(act: () => Promise<void>): Promise<void> {
    await test.client.query('select pg_advisory_lock($1)', [LOCK]);
    lookout.onApplicationBootstrap();
    await eventually(async () => {
      const { rows } = await test.client.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
        [LOCK],
      );
      expect(rows).toHaveLength(1);
    });
    await act();
    await test.client.query('select pg_advisory_unlock($1)', [LOCK]);
    await eventually(() => expect(looks).toBe(1));
  }

  it('is not forgotten because of a look that began before', async () => {
    await duringALook(() => health.openBreaker(destinationId, 'http_5xx'));
    expect(health.isOpen(destinationId)).toBe(true);
    await eventually(() => expect(looks).toBeGreaterThan(1));
    expect(health.isOpen(destinationId)).toBe(true);
  });

  it('is not believed of one that is back because of a look that began before', async () => {
    await health.openBreaker(destinationId, 'http_5xx');
    await duringALook(() => health.closeBreaker(destinationId, true));
    expect(health.isOpen(destinationId)).toBe(false);
  });

  it('is learned of other processes by the next look', async () => {
    await health.openBreaker(destinationId, 'http_5xx');
    lookout.onApplicationBootstrap();
    await test.client.query(`update destination_health set breaker = 'closed'`);
    await eventually(() => expect(health.isOpen(destinationId)).toBe(false));
    await test.client.query(`update destination_health set breaker = 'open'`);
    await eventually(() => expect(health.isOpen(destinationId)).toBe(true));
  });
});
