import { onTheNode } from '../platform/database/statements/on-the-node';
import { prepared } from '../platform/database/statements/prepared';
import { unplannedList } from '../platform/database/statements/unplanned';
import { nextAcceptedSql } from './inbox/inbox-lag';
import { somebodyListens } from './tail/tail-listeners';

/** Seconds before the end of an epoch in which an id is entered into the next epoch too; see the statement. */
const BORDER_SECONDS = 300;

/**
 * Those of $1, message keys, that are known: the statement below would call their events duplicates. $2 is its $9. As
 * `messageKey` writes them.
 */
export const findKnownSql = prepared('find_known_messages')`
    select distinct replace(key::text, '-', '') as key
    from message_id, (select floor(extract(epoch from now()) / $2)::int as epoch) as clock
    where key = any($1::uuid[]) and message_id.epoch between clock.epoch - 1 and clock.epoch + 1`;

/**
 * Stores one group of events whose message keys are distinct, and puts those that are new into the inbox; into the
 * tail, too, while somebody listens.
 *
 * - $1 to $8 arrays with one element for each event: message keys, subjects, timestamps, ids, source ids, types, names
 *   (null where there is none), payloads
 * - $9 dedup window in seconds, the length of an epoch
 * - $10 id of the inbox row
 * - $11 seconds by which PostgreSQL's clock is taken to be ahead; 0 outside of tests
 * - $12 JSON object of traceparents by event id; null when nothing is traced
 *
 * Answers one row: `stored`, how many were new, and `duplicates`, the ids of those that were not.
 *
 * When nothing is new, the first copies may be committed on this server and not yet on its synchronous standby. A
 * transaction that writes nothing waits for no standby, so this one writes a message into the log, which no table sees:
 * its commit waits like any other, and with it for everything before it. On Citus that has to be the server that has
 * the tables, so the last part is of one of them; and what inserts, so that no other node is needed ({@link
 * onTheNode}).
 *
 * Ids are remembered in the partition of the epoch they came in. One is new when it is neither in the current nor in
 * the previous epoch, nor in the next one, from before the clock went back; looking into the previous one is not
 * locked, so near the end of an epoch an id is entered into the next one too, where it meets those of a statement that
 * runs across the border. Rows go in in one order of keys, so that concurrent statements wait for each other but never
 * in a circle.
 */
export const storeEventsSql = prepared('store_events')`
    with input as materialized (
      select * from unnest(
        ${unplannedList('$1', 'uuid')}, ${unplannedList('$2', 'text')}, ${unplannedList('$3', 'timestamptz')},
        ${unplannedList('$4', 'uuid')}, ${unplannedList('$5', 'uuid')}, ${unplannedList('$6', 'text')},
        ${unplannedList('$7', 'text')}, ${unplannedList('$8', 'json')}
      ) as e(k, s, t, i, o, y, n, p)
    ), clock as materialized (
      select floor(at / $9)::int as epoch, (mod(at, $9) > $9 - ${BORDER_SECONDS})::int as border
      from (select extract(epoch from now()) + $11 as at) as c
    ), entered as (
      insert into message_id (key, epoch, event_id)
      select k, epoch + ahead, i
      from input, clock, generate_series(0, border) as ahead
      where (
        select true from message_id as m
        where m.key = k and m.epoch = (select epoch - 1 from clock)
        limit 1
      ) is null and (
        select true from message_id as m
        where m.key = k and m.epoch = (select epoch + 1 from clock) and not (select border from clock)::boolean
        limit 1
      ) is null
      order by 1, 2
      on conflict do nothing
      returning key
    ), fresh as materialized (
      select key from entered group by key having count(*) > (select border from clock)
    ), stored as (
      insert into event (subject, "timestamp", id, source_id, type, name, payload)
      select s, t, i, o, y, n, p from input where k in (select key from fresh) and ${onTheNode}
      returning subject, "timestamp", id
    ), news as materialized (
      select array_agg(subject order by id) as subjects, array_agg("timestamp" order by id) as timestamps,
        array_agg(id order by id) as event_ids, ${nextAcceptedSql} as accepted,
        pg_current_xact_id() as xact, clock_timestamp() as at
      from stored
      having count(*) > 0
    ), handed_on as (
      insert into inbox (id, subjects, timestamps, event_ids, traces, accepted, created_at)
      select $10, subjects, timestamps, event_ids, $12::json, accepted, at from news where ${onTheNode}
    ), listening as materialized (
      select ${somebodyListens} as anybody
    ), told as (
      insert into tail_entry (id, subjects, timestamps, event_ids, xact, created_at)
      select $10, subjects, timestamps, event_ids, xact, at from news
      where (select anybody from listening) and ${onTheNode}
    )
    select
      case when not exists (select from stored) then pg_logical_emit_message(true, 'cdp', '') end as waits_for,
      (select count(*)::int from stored) as stored,
      (select coalesce(array_agg(i), '{}') from input where k not in (select key from fresh)) as duplicates
    from migrations
    limit 1`;
