import type { ClientBase } from 'pg';
import { forgetDeadEventsBelowSql } from '../inbox/dead-events';
import { partitionsOf } from './change-partitions';
import { rangeOfPartition } from './partition-plan';

/** Forgets dead events whose partition was dropped: they cannot be processed any more, and name people. */
export async function dropDeadEvents(client: ClientBase): Promise<void> {
  const partitions = await partitionsOf(client, 'event');
  const [lowestStoredId] = partitions.map((name) => rangeOfPartition(name).fromId).toSorted();
  if (lowestStoredId !== undefined) await client.query(forgetDeadEventsBelowSql, [lowestStoredId]);
}
