import { uuidv7 } from 'uuidv7';
import { reopenDeadLetters } from '../../src/delivery/ledger/dead-letters/reopen-dead-letters';
import { personKey } from '../../src/delivery/order/person-key';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

describe('dead letters from before an order that are replayed', () => {
  let test: ConnectedDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await connectTestDatabase();
    await test.client.query('create table delivery_today partition of delivery default');
    database = new Database(Config.from({ CDP_DATABASE_URL: test.url }));
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('are those of their people, and notices about nobody wait for nobody', async () => {
    const destinationId = uuidv7();
    await test.client.query(
      `insert into destination (id, name, type, config, secrets_sealed, ordering)
       values ($1, 'Ordered', 'webhook', '{}', '', '{}')`,
      [destinationId],
    );
    const ofPerson = uuidv7();
    const notice = uuidv7();
    await test.client.query(
      `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, due_at, state)
       select id, $1, subject, now(), id, 'track', now(), 'dead' from unnest($2::uuid[], $3::text[]) as d(id, subject)`,
      [destinationId, [ofPerson, notice], ['u:ada', 'g:delete']],
    );
    const all = {
      fromId: '00000000-0000-0000-0000-000000000000',
      toId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    };
    await database.transaction((tx) =>
      reopenDeadLetters({ destinationId, ...all, reason: null, limit: 10 }, { maxAttempts: 3 }, tx),
    );
    const { rows } = await test.client.query(
      `select person::text, due_at = 'infinity' as waits from delivery order by id`,
    );
    expect(rows).toEqual([
      { person: personKey('u:ada'), waits: true },
      { person: personKey(notice), waits: true },
    ]);
  });
});
