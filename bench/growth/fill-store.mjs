// @ts-check
// A store that has grown: people, their events of many days, what was delivered of them, inside PostgreSQL.
import { eventTables } from '#dist/events/partitions/event-tables';
import { makePartitions } from '#dist/events/partitions/make-partitions';
import { Config } from '#dist/platform/config/config';
import { dayPartitions } from '#dist/profiles/state/day-partitions';

const DAY_MS = 86_400_000;
/** Sessions that fill at once. */
const SESSIONS = 2;
/** Ids of messages are kept for so long. */
const KEPT_KEYS_DAYS = 14;
const NAMES = ['Order Completed', 'Product Viewed', 'Product Added', 'Cart Viewed', 'Checkout Started'];
/** One of so many deliveries was given up, and so many of those for a rare reason. */
const DEAD_EVERY = 100;
const RARELY_DEAD = 20;
/** One of ten people is in a group with so many others. */
const PEOPLE_A_GROUP = 30;
/** One of so many people has a trait that few have. */
const RARE_PEOPLE = 10_000;

/**
 * Fills an empty store once; the destination is the one that the deliveries were for.
 * @param {{ destinationId: string, events: number, people: number, deliveries: number, days: number }} size
 */
export async function fillStore(client, connect, size) {
  const { rows } = await client.query('select exists (select from profile) as filled');
  if (rows[0].filled) return;
  const startedAt = Date.now();
  const today = Math.floor(startedAt / DAY_MS) - 1;
  const days = Array.from({ length: size.days }, (_, index) => today - size.days + 1 + index);
  await dropDayPartitions(client);
  for (const day of days) await makePartitions(client, tables(size), day * DAY_MS);
  // Events lie in the order in which they came: a partition of them, which has seven days, is filled by one session.
  const weeks = weeksOf(days);
  // Rows first, then their indexes: built at once they take a fraction of the time that growing them would.
  for (const [table, name] of KEYS) await client.query(`alter table ${table} drop constraint ${name}`);
  await inTurn(weeks, connect, async (session, week) => {
    for (const [index, day] of week) await fillDay(session, day, index, size);
  });
  await fillPeople(client, size);
  for (const [table, name, columns] of KEYS) {
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query(`alter table ${table} add constraint ${name} primary key (${columns})`);
  }
  for (const table of ['event', 'delivery', 'delivery_attempt', 'message_id', 'profile', 'profile_day']) {
    await client.query(`vacuum analyze ${table}`);
  }
  await client.query('checkpoint');
  console.log(`filled in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

const KEYS = [
  ['event', 'event_pk', 'subject, "timestamp", id'],
  ['message_id', 'message_id_pk', 'key, epoch'],
  ['profile', 'profile_pk', 'subject'],
  ['profile_day', 'profile_day_pk', 'subject, name, day'],
];

/** Counts per day get partitions as if the store had been there from the first day on. */
async function dropDayPartitions(client) {
  const { rows } = await client.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'profile_day'::regclass`,
  );
  await client.query(`drop table ${rows.map(({ name }) => name).join()}`);
}

/** Days with their places, by their weeks. */
function weeksOf(days) {
  const weeks = new Map();
  for (const [index, day] of days.entries()) {
    const week = Math.floor(day / 7);
    weeks.set(week, [...(weeks.get(week) ?? []), [index, day]]);
  }
  return [...weeks.values()];
}

function tables({ days }) {
  const config = Config.from({
    CDP_DATABASE_URL: 'postgres://unused',
    CDP_ENCRYPTION_KEY: 'bench-encryption-key-of-some-length',
    CDP_EVENT_RETENTION_DAYS: String(Math.max(days, 30)),
  });
  const ofLedger = ['delivery', 'delivery_attempt'].map((table) => ({
    kind: /** @type {const} */ ('id-range'),
    table,
    days: 1,
    retentionDays: config.delivery.retentionDays,
  }));
  return [
    ...eventTables(config).filter(({ table }) => table !== 'rejected_event'),
    dayPartitions,
    ...ofLedger,
  ];
}

async function inTurn(items, connect, work) {
  let next = 0;
  const session = async () => {
    const client = await connect();
    try {
      while (next < items.length) {
        const index = next;
        next += 1;
        await work(client, items[index]);
        console.log(`filling: ${index + 1} of ${items.length}`);
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, session));
}

/** The events of one day come in its order, from people in no order. */
async function fillDay(client, day, index, { destinationId, events, people, deliveries, days }) {
  const perDay = Math.floor(events / days);
  const first = index * perDay;
  const deliverEvery = Math.max(1, Math.floor(events / deliveries));
  await client.query('begin');
  await client.query('set local synchronous_commit = off');
  await client.query(
    `create temporary table filled on commit drop as
     select n, at, 'u:u' || lpad((n * 7919 % ${people})::text, 7, '0') as subject, md5('message-' || n)::uuid as key,
       (array['${NAMES.join("','")}'])[1 + n % ${NAMES.length}] as name, ${idOf('at', '1')} as id, ${idOf('at', '2')} as delivery_id
     from (select n, to_timestamp(${(day * DAY_MS) / 1000} + (n - ${first}) * ${86_400 / perDay}::float8) as at
       from generate_series(${first}::bigint, ${first + perDay - 1}::bigint) as n) as e`,
  );
  await client.query(
    `insert into event (subject, "timestamp", id, source_id, type, name, payload)
     select subject, at, id, '0190a000-0000-7000-8000-000000000001', 'track', name,
       json_build_object('type', 'track', 'event', name, 'userId', substr(subject, 3), 'messageId', key,
         'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'receivedAt', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'properties', json_build_object('orderId', n, 'revenue', n % 100, 'currency', 'EUR'),
         'context', json_build_object('locale', 'en-US', 'userAgent', '${'x'.repeat(120)}'))
     from filled`,
  );
  await client.query(
    `insert into profile_day (subject, name, day, count)
     select subject, name, date '1970-01-01' + ${day}, count(*) from filled group by 1, 2`,
  );
  if (days - index <= KEPT_KEYS_DAYS) {
    await client.query(
      `insert into message_id (key, epoch, event_id)
       select key, floor(extract(epoch from at) / ${7 * 86_400})::int, id from filled`,
    );
  }
  await client.query(
    `insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, state, attempts, due_at,
       error_class, updated_at)
     select delivery_id, $1, subject, at, id, 'track', case when is_dead then 'dead' else 'delivered' end, 1, at,
       case when is_dead then case when n / ${deliverEvery} % ${deliveries / RARELY_DEAD} = 0 then 'timeout' else 'http_5xx' end end, at
     from (select *, n / ${deliverEvery} % ${DEAD_EVERY} = 0 as is_dead from filled where n % ${deliverEvery} = 0) as d`,
    [destinationId],
  );
  await client.query(
    `insert into delivery_attempt (id, delivery_id, attempt, started_at, status, total_ms)
     select ${idOf('at', '3')}, delivery_id, 1, at, 200, 12 from filled where n % ${deliverEvery} = 0`,
  );
  await client.query('commit');
}

/** A UUIDv7 of a time: 48 bits of milliseconds, then the number of the event. */
function idOf(at, kind) {
  return `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7000800${kind}' || lpad(to_hex(n), 12, '0'))::uuid`;
}

async function fillPeople(client, { events, people }) {
  const total = Math.floor(events / people);
  const totals = NAMES.slice(0, 3)
    .map(
      (name) =>
        `'${name}', jsonb_build_object('count', ${total}, 'first', 1795000000000, 'last', 1795000000000)`,
    )
    .join(', ');
  await client.query(`
    insert into profile (subject, traits, trait_clocks, groups, event_count, event_totals, first_seen_at, last_seen_at)
    select 'u:u' || lpad(n::text, 7, '0'),
      jsonb_build_object('email', n || '@example.com', 'plan', case when n % 3 = 0 then 'pro' else 'free' end,
        'seats', n % 10, 'badge', case when n % ${RARE_PEOPLE} = 0 then 'rare' end),
      jsonb_build_object('email', '0', 'plan', '0', 'seats', '0', 'badge', '0'),
      case when n % 10 = 0 then array['acme-' || n / ${PEOPLE_A_GROUP * 10}] else '{}' end,
      ${total}, jsonb_build_object(${totals}), now() - interval '80 days', now() - interval '1 day'
    from generate_series(0, ${people - 1}) as n`);
  await client.query(`
    insert into customer_group (group_id, traits, trait_clocks)
    select 'acme-' || n, '{"plan": "pro"}', '{"plan": "0"}'
    from generate_series(0, ${Math.floor(people / PEOPLE_A_GROUP / 10)}) as n`);
}
