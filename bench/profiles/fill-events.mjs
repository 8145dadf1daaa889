// Many stored events, some of them of one person, for read-profile.mjs.
const HEAVY_EVENTS = 50_000;
const EVENTS_PER_USER = 50;
const WEEKS = 8;
const WEEK_MS = 7 * 86_400_000;
const SESSIONS = 2;

/** People beside the one with many events. */
export function usersOf(stored) {
  return Math.floor((stored - HEAVY_EVENTS) / EVENTS_PER_USER);
}

/**
 * Stores events of the last weeks, once: every week has a partition, and every person has events in all of them, which
 * lie where they came in and not together. Indexes are built at the end.
 */
export async function measure({ query }, { stored }) {
  const [done] = await query(`select 1 from profile where subject = 'u:heavy'`);
  if (done !== undefined) return;
  const startedAt = Date.now();
  // One that ends before those that the service makes ahead of time.
  const last = Math.floor(Date.now() / WEEK_MS) - 2;
  const weeks = Array.from({ length: WEEKS }, (_, index) => last - index);
  for (let at = 0; at < WEEKS; at += SESSIONS) {
    await Promise.all(weeks.slice(at, at + SESSIONS).map((week, i) => fillWeek(query, week, at + i, stored)));
  }
  await query(`
    insert into profile (subject, traits, event_count, event_totals, first_seen_at, last_seen_at)
    select subject, '{"plan": "pro", "email": "somebody@example.com"}', count(*),
      jsonb_build_object('Order Completed', jsonb_build_object('count', count(*), 'first', 0, 'last', 0)),
      min("timestamp"), max("timestamp")
    from event group by subject`);
  await query('vacuum analyze event');
  await query('vacuum analyze profile');
  console.log(`${stored} events stored in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** The events whose number is `part` of the number of weeks. */
async function fillWeek(query, week, part, stored) {
  const name = `event_d7_${week}`;
  const [from, to] = [lowestId(week * WEEK_MS), lowestId((week + 1) * WEEK_MS)];
  const others = stored - HEAVY_EVENTS;
  const payload = `json_build_object('type', 'track', 'event', 'Order Completed', 'userId', who, 'messageId', 'm-' || n,
    'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'receivedAt', '2026-01-01T00:00:00.000Z',
    'properties', json_build_object('orderId', n, 'revenue', 9.5, 'currency', 'EUR', 'title', repeat('x', 150)))`;
  await query(`
    create table ${name} (like event, constraint ${name}_range check (id >= '${from}' and id < '${to}'));
    insert into ${name} (subject, "timestamp", id, source_id, type, name, payload)
    select 'u:' || who, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      '0190a000-0000-7000-8000-000000000001', 'track', 'Order Completed', ${payload}
    from (
      select n, case when n < ${others} then 'r' || (n / ${WEEKS} % ${usersOf(stored)}) else 'heavy' end as who,
        to_timestamp((${week * WEEK_MS} + random() * ${WEEK_MS - 1_000}) / 1000) as at
      from generate_series(${part}, ${stored - 1}, ${WEEKS}) as n
    ) as e;
    set maintenance_work_mem = '512MB';
    alter table ${name} add primary key (subject, "timestamp", id);
    alter table event attach partition ${name} for values from ('${from}') to ('${to}');
    alter table ${name} drop constraint ${name}_range`);
}

function lowestId(ms) {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
