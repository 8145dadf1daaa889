// What became of every accepted event.
import { setTimeout as delay } from 'node:timers/promises';

const DRAIN_TIMEOUT_MS = 180_000;

/** Waits until nothing is left to do. Answers the seconds it took; undefined when it did not end. */
export async function untilDrained(database, log = () => undefined) {
  const startedAt = Date.now();
  while (Date.now() - startedAt < DRAIN_TIMEOUT_MS) {
    // The last fault may have been a crash of PostgreSQL, which is back in a moment.
    const left = await backlog(database).catch((error) => ({ unknown: String(error) }));
    if (left.inbox === 0 && left.pending === 0) return (Date.now() - startedAt) / 1000;
    log(left);
    await delay(500);
  }
  return undefined;
}

async function backlog(database) {
  const [row] = await database.query(`
    select (select count(*)::int from inbox) as inbox,
      (select count(*)::int from delivery where state = 'pending') as pending`);
  return row;
}

/**
 * Compares what was acknowledged with what is stored, what profiles have counted, and what arrived, event by event and
 * receiver by receiver. `wrong` is how much of it should not be.
 */
export async function balance({ accepted, receivers, database }) {
  const dead = await deadLetters(database);
  const known = new Set(accepted);
  const ledger = {
    accepted: accepted.length,
    ...(await storedOf(known, database)),
    ...(await countedOf(database)),
    expected: 0,
    delivered: 0,
    dead: 0,
    lost: 0,
    repeated: 0,
    routedTwice: 0,
    strangers: 0,
  };
  const lost = [];
  for (const receiver of receivers) {
    ledger.repeated += receiver.extra;
    for (const messageId of receiver.answered.keys()) if (!known.has(messageId)) ledger.strangers += 1;
    for (const ids of receiver.answered.values())
      if (typeof ids !== 'string') ledger.routedTwice += ids.size - 1;
    for (const messageId of accepted) {
      ledger.expected += 1;
      if (receiver.answered.has(messageId)) ledger.delivered += 1;
      else if (dead.has(`${receiver.destinationId}/${messageId}`)) ledger.dead += 1;
      else lost.push(`${receiver.name}/${messageId}`);
    }
  }
  ledger.lost = lost.length;
  const { notStored, storedTwice, strangersStored, miscountedPeople, strangers, routedTwice } = ledger;
  const wrong =
    lost.length + notStored + storedTwice + strangersStored + miscountedPeople + strangers + routedTwice;
  return { ledger: { ...ledger, wrong }, lost: lost.slice(0, 20) };
}

/** Each once, and nothing that was accepted elsewhere. */
async function storedOf(known, database) {
  const rows = await database.query(
    `select payload ->> 'messageId' as id, count(*)::int as copies from event group by 1`,
  );
  const stored = new Set(rows.map(({ id }) => id));
  return {
    events: rows.reduce((sum, { copies }) => sum + copies, 0),
    notStored: [...known].filter((id) => !stored.has(id)).length,
    storedTwice: rows.filter(({ copies }) => copies > 1).length,
    strangersStored: rows.filter(({ id }) => !known.has(id)).length,
  };
}

/** Each in the count of its person, once. */
async function countedOf(database) {
  const [row] = await database.query(`
    with stored as (
      select coalesce(p.merged_into, e.subject) as person, count(*) as events
      from event e left join profile p on p.subject = e.subject
      group by 1
    ), counted as (
      select subject as person, event_count as events from profile where merged_into is null
    )
    select (select coalesce(sum(events), 0)::int from counted) as "inProfiles",
      (select count(*)::int from stored full join counted using (person)
       where stored.events is distinct from nullif(counted.events, 0)) as "miscountedPeople"`);
  return row;
}

/** Bytes on disk, indexes included, for each event that was accepted: of the big tables. */
export async function bytesPerEvent(database, events) {
  const tables = ['event', 'message_id', 'delivery', 'delivery_attempt', 'profile'];
  const rows = await database.query(
    `select t as name, (select sum(pg_total_relation_size(relid)) from pg_partition_tree(t::regclass)) as bytes
     from unnest($1::text[]) as t`,
    [tables],
  );
  const size = await database.query(`select pg_total_relation_size('profile') as bytes`);
  const bytes = { ...Object.fromEntries(rows.map((row) => [row.name, row.bytes])), profile: size[0].bytes };
  return Object.fromEntries(
    Object.entries(bytes).map(([name, all]) => [name, Math.round(Number(all) / events)]),
  );
}

async function deadLetters(database) {
  const rows = await database.query(`
    select d.destination_id, e.payload ->> 'messageId' as message_id
    from delivery d join event e on e.subject = d.subject and e."timestamp" = d.event_timestamp and e.id = d.event_id
    where d.state = 'dead'`);
  return new Set(rows.map((row) => `${row.destination_id}/${row.message_id}`));
}
