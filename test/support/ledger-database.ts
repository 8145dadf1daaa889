import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { type ConnectedDatabase, connectTestDatabase } from './test-database';

/** A test database whose ledger takes deliveries of any time, and the service's own way to it. */
export interface LedgerDatabase extends ConnectedDatabase {
  readonly config: Config;
  readonly database: Database;
}

export async function connectLedger(): Promise<LedgerDatabase> {
  const connected = await connectTestDatabase();
  await connected.client.query('create table delivery_today partition of delivery default');
  const config = Config.from({ CDP_DATABASE_URL: connected.url });
  const database = new Database(config);
  const drop = async (): Promise<void> => {
    await database.close();
    await connected.drop();
  };
  return { ...connected, config, database, drop };
}
