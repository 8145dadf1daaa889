// Fills the tables with events that look like those of the benchmark, inside PostgreSQL.

const CHUNK = 200_000;
/** Sessions that fill at once. */
const SESSIONS = 2;

/** Rows first, then their indexes: built at once they take a fraction of the time that growing them would. */
export async function fillTables(database, count) {
  await database.query('alter table event drop constraint event_pk');
  await database.query('alter table message_id drop constraint message_id_pk');
  let done = 0;
  const fill = async () => {
    while (done < count) {
      const from = done;
      done += CHUNK;
      await database.query(FILL, [from, Math.min(CHUNK, count - from)]);
      process.stdout.write(`filling: ${Math.min(done, count).toLocaleString('en')} events\n`);
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, fill));
  process.stdout.write('filling: indexes\n');
  await Promise.all([
    database.query('alter table event add constraint event_pk primary key (subject, "timestamp", id)'),
    database.query('alter table message_id add constraint message_id_pk primary key (key, epoch)'),
  ]);
  await Promise.all([database.query('vacuum analyze event'), database.query('vacuum analyze message_id')]);
  await database.query('checkpoint');
}

const FILL = `
  with rows as materialized (
    select
      md5('filled-' || n)::uuid as key,
      'u:u' || lpad((n * 7919 % 100000)::text, 7, '0') as subject,
      now() - (n % 600000) * interval '1 second' as at,
      -- A UUIDv7 of a time within the last days: 48 bits of milliseconds, then random ones.
      (lpad(to_hex((extract(epoch from now() - (n % 6000) * interval '1 second') * 1000)::bigint), 12, '0')
        || '7' || substr(md5('id-' || n), 1, 3) || '8' || substr(md5('id-' || n), 4, 15))::uuid as id
    from generate_series($1::bigint, $1::bigint + $2::bigint - 1) as n
  ), ids as (
    insert into message_id (key, epoch) select key, floor(extract(epoch from now()) / 604800)::int from rows
  )
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select subject, at, id, '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b', 'track', 'Order Completed',
    json_build_object('type', 'track', 'event', 'Order Completed', 'userId', substr(subject, 3), 'messageId', key,
      'properties', json_build_object('revenue', 9.5), 'context', json_build_object('filler', repeat('x', 300)))
  from rows`;
