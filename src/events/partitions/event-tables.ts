import type { Config } from '../../platform/config/config';
import type { UnfinishedWork } from './drop-partitions';
import type { PartitionedTable } from './partition-plan';

/**
 * Days of events in one partition. A year of retention is 53 partitions, few enough to plan over, and dropping
 * one frees a week at a time.
 */
const EVENT_PARTITION_DAYS = 7;

const REJECTED_PARTITION_DAYS = 1;

/** Events in the inbox are read when they are processed. */
export const unprocessedEvents: UnfinishedWork = {
  what: 'events that wait to be processed',
  sql: ({ fromId, toId }) =>
    `select from inbox, unnest(event_ids) as event_id where event_id >= '${fromId}' and event_id < '${toId}'`,
};

/**
 * Who stores events indexes their ids (`id-index.ts`), but on Citus. There PostgreSQL does, as the index is declared: it
 * comes to 256 ranges of pages a minute, and logs a line for each that it does not.
 */
const leaveIdsToUs = (partition: string): string => `
  do $$ begin
    if not exists (select from pg_extension where extname = 'citus') then
      alter index ${partition}_id_idx set (autosummarize = off);
    end if;
  end $$`;

/** The table of the events themselves. */
export function eventTable(config: Config): PartitionedTable {
  return {
    kind: 'id-range',
    table: 'event',
    days: EVENT_PARTITION_DAYS,
    retentionDays: config.events.retentionDays,
    prepareSql: leaveIdsToUs,
  };
}

/** The partitioned tables of this module. */
export function eventTables(config: Config): PartitionedTable[] {
  return [
    eventTable(config),
    {
      kind: 'id-range',
      table: 'rejected_event',
      days: REJECTED_PARTITION_DAYS,
      retentionDays: config.events.rejectedRetentionDays,
    },
    { kind: 'epoch', table: 'message_id', days: config.events.dedupWindowDays },
  ];
}
