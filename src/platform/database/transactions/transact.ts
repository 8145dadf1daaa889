import type { Pool } from 'pg';
import type { OpenTransaction } from '../database';
import { losesStatements } from '../failure';
import { Transaction } from './transaction';

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects.
 * @param prepare whether the way to PostgreSQL keeps prepared statements
 */
export async function transact<T>(
  pool: Pool,
  prepare: boolean,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const transaction = new Transaction(client, prepare);
  let broken: Error | boolean = false;
  try {
    const result = await work(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    // A rollback that fails means a dead connection; the pool then discards it.
    await transaction.rollBack().catch((rollbackError: Error) => (broken = rollbackError));
    if (losesStatements(error)) broken = true; // Of all transactions to come.
    throw error;
  } finally {
    client.release(broken);
  }
}
