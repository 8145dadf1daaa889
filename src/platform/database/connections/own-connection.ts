import type { Client } from 'pg';
import { CONNECTION_DEFAULTS, LONG_SESSION } from './open-pool';
import { OpeningClient } from './silence';

/**
 * Does work on a connection outside of all pools, to PostgreSQL itself: for what holds a lock of its session, sets what
 * a pool must not keep, or takes as long as it takes.
 * @param name what PostgreSQL calls the connection
 * @throws what the work throws, or that PostgreSQL is away
 */
export async function withOwnConnection<T>(
  connectionString: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new OpeningClient({ ...CONNECTION_DEFAULTS, connectionString, application_name: name });
  client.on('error', () => undefined); // The query that meets the outage reports it.
  await client.connect();
  try {
    await client.query(LONG_SESSION);
    return await work(client);
  } finally {
    await client.end();
  }
}
