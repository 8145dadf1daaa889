// @ts-check
// The computation of a segment on what is in events, from all of them, against one bare aggregation over the same events.
import { figure } from '../support/figures.mjs';
import { makePartitions } from './event-partitions.mjs';
import { addSegment, median, openParts } from './parts.mjs';

const ROUNDS = 3;
const EVENTS_EACH = 10;
const RULE = {
  event: 'Order Completed',
  where: [{ field: 'properties.currency', operator: 'eq', value: 'EUR' }],
  aggregate: 'sum',
  of: 'properties.revenue',
  within: '30d',
  operator: 'gte',
  value: 25,
};

/** Everybody has ten events of the last twenty days; half of them are orders, and half of the orders in euro. */
const fillSql = `
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select 'u:' || md5((n % $2)::text), at, id, id, 'track', name, json_build_object(
      'type', 'track', 'event', name, 'messageId', id, 'userId', md5((n % $2)::text), 'timestamp', at, 'receivedAt', at,
      'properties', json_build_object('orderId', 'o-' || n, 'revenue', n % 40 + 0.5,
        'currency', (array['EUR', 'USD'])[1 + n / 2 % 2], 'products', 3),
      'context', json_build_object('library', json_build_object('name', 'analytics.js', 'version', '2.11.1'),
        'page', json_build_object('path', '/shop/item', 'title', 'Item', 'url', 'https://shop.example/shop/item'),
        'locale', 'en-US'))
  from generate_series(1, $1) as n,
    lateral (select date_trunc('milliseconds', now() - make_interval(secs => n::float8 * 20 * 86400 / $1)) as at) as t,
    lateral (select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' ||
      substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as id,
      (array['Order Completed', 'Product Viewed'])[1 + n / 4 % 2] as name) as i`;

const bareSql = `
  select subject, sum((payload #>> '{properties,revenue}')::numeric) from event
  where name = 'Order Completed' and "timestamp" >= now() - interval '30 days'
    and payload #>> '{properties,currency}' = 'EUR'
  group by subject`;

export async function measure({ url, query }, { profiles }) {
  const people = Math.min(profiles, 500_000);
  const events = people * EVENTS_EACH;
  const parts = openParts(url);
  try {
    await query('truncate segment, segment_task, segment_member, segment_member_count, profile');
    await query(
      `insert into profile (subject, traits, groups, event_count, event_totals, first_seen_at, last_seen_at)
       select 'u:' || md5(n::text), '{}', '{}', $2::integer, '{}', now() - interval '20 days', now()
       from generate_series(0, $1 - 1) as n`,
      [people, EVENTS_EACH],
    );
    await makePartitions(parts.database);
    await query(fillSql, [events, people]);
    await query('vacuum analyze');
    const bare = [];
    const computed = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await timed(() => query(bareSql)));
      computed.push(
        await timed(async () => {
          const id = await addSegment(parts.database, [RULE]);
          await parts.upkeep.computeNow(id, Number.POSITIVE_INFINITY);
        }),
      );
    }
    const ms = median(computed);
    const what = `from ${events} events of ${people} people`;
    figure('segments: computing one on what is in events', what, ms, 'ms', median(bare));
    console.log(
      `${what}: ${ms.toFixed(0)} ms, ${((events / ms) * 1000).toFixed(0)} events/s; a bare aggregation ` +
        `${median(bare).toFixed(0)} ms: ${(ms / median(bare)).toFixed(1)}x`,
    );
  } finally {
    await parts.close();
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
