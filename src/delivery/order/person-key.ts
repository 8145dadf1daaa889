import { createHash } from 'node:crypto';

/**
 * What stands for a person in the ledger of destinations with an order: 64 bits, as PostgreSQL writes a `bigint`. Two
 * people with the same wait for each other, and lose nothing.
 * @param subject of the profile, or anything else that is in one order
 */
export function personKey(subject: string): string {
  return createHash('sha256').update(subject).digest().readBigInt64BE().toString();
}
