import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../platform/config/config';
import { withOwnConnection } from '../platform/database/connections/own-connection';
import { endWhenSilent, MAX_SILENCE_MS } from '../platform/database/connections/silence';
import { lockKeySql } from '../platform/database/transactions/advisory-lock';
import { ConfigurationBusyError } from './configuration-problems';

const keySql = lockKeySql("'configuration'");
const lockSql = `select pg_try_advisory_lock(${keySql}) as locked`;
const unlockSql = `select pg_advisory_unlock(${keySql})`;

/** Throws when the lock is lost with its connection: somebody else may apply a document from then on. */
export type DemandLock = () => Promise<void>;

/**
 * Has one document applied at a time. The lock is one of a session, because PostgreSQL ends a transaction that says
 * nothing while others plan and apply (`MAX_IDLE_IN_TRANSACTION_MS`).
 */
@Injectable()
export class ConfigurationLock {
  /** Of this process, which has one connection for it. */
  private isTaken = false;

  constructor(private readonly config: Config) {}

  /** @throws ConfigurationBusyError, that PostgreSQL is away, or what the work throws */
  async take<T>(work: (demandLock: DemandLock) => Promise<T>): Promise<T> {
    if (this.isTaken) throw new ConfigurationBusyError();
    this.isTaken = true;
    try {
      return await withOwnConnection(this.config.directDatabaseUrl, 'cdp-service-apply', (client) =>
        withLock(client, work),
      );
    } finally {
      this.isTaken = false;
    }
  }
}

async function withLock<T>(client: Client, work: (demandLock: DemandLock) => Promise<T>): Promise<T> {
  endWhenSilent(client, MAX_SILENCE_MS);
  const { rows } = await client.query<{ locked: boolean }>(lockSql);
  if (rows[0]?.locked !== true) throw new ConfigurationBusyError();
  try {
    return await work(async () => void (await client.query('select')));
  } finally {
    // A connection that is lost has lost the lock, too; what was applied stays so.
    await client.query(unlockSql).catch(() => undefined);
  }
}
