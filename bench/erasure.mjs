// What erasing people takes, and who waits for it: `npm run bench -- erasure`. A person with very many events and
// deliveries, then many ordinary people from several clients, each alone and beside a segment that is computed again and
// again and a replay. Events of others come in all the time.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { accessToken } from './support/access-token.mjs';
import { figure } from './support/figures.mjs';
import { openBenchDatabase } from './support/postgres.mjs';
import { startService } from './support/service.mjs';

const MEASURED = {
  event: 'Order Completed',
  where: [{ field: 'properties.title', operator: 'contains', value: 'xxx' }],
  aggregate: 'sum',
  of: 'properties.revenue',
  within: '30d',
  operator: 'gte',
  value: 5,
};
const SAMPLE_MS = 10;
const OTHERS_PER_SECOND = 20;
const ERASURE = /erase_deliver|forget_events|find_deliveries_of_people|find_events_of_people|erasure/;
/** As `eraser.ts` begins and ends. */
const GATE = /pg_advisory_xact_lock\(/;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      people: { type: 'string', default: '300000' },
      events: { type: 'string', default: '100000' },
      deliveries: { type: 'string', default: '300000' },
      seconds: { type: 'string', default: '30' },
      clients: { type: 'string', default: '4' },
      only: { type: 'string', default: 'big,many,beside,measured,backlog' },
      keep: { type: 'string' },
    },
  });
  const options = { ...values };
  for (const name of ['people', 'events', 'deliveries', 'seconds', 'clients'])
    options[name] = Number(values[name]);
  const database = await openBenchDatabase(process.env.CDP_TEST_DATABASE_URL, { keepIn: options.keep });
  const service = await startService({ databaseUrl: database.url, env: { CDP_EGRESS_ALLOW: '127.0.0.0/8' } });
  try {
    const world = await prepare(service, database, options);
    const only = options.only.split(',');
    if (only.includes('big')) await eraseBig(world, options);
    if (only.includes('many')) await eraseMany(world, options, 'many');
    if (only.includes('beside')) {
      const stop = upkeep(world, [{ field: 'traits.plan', operator: 'eq', value: 'pro' }]);
      await eraseMany(world, options, 'many beside a segment and a replay');
      console.log(`  segments computed meanwhile: ${await stop()}`);
    }
    if (only.includes('measured')) {
      const stop = upkeep(world, [MEASURED]);
      await eraseMany(world, options, 'many beside a segment of stored events');
      console.log(`  segments computed meanwhile: ${await stop()}`);
    }
    if (only.includes('backlog')) await eraseBacklog(world, database, options);
  } finally {
    await service.stop();
    await database.close();
  }
}

async function prepare({ url }, { query, url: databaseUrl }, { people, events, deliveries }) {
  const api = client(url, { authorization: `Bearer ${await accessToken('benchmark-jwt-secret')}` });
  const source = await api('POST', '/sources', { name: `bench ${randomUUID()}` });
  const destination = await api('POST', '/destinations', {
    name: `bench ${randomUUID()}`,
    type: 'webhook',
    config: { url: `${url}/health/live` },
  });
  await api('POST', `/destinations/${destination.id}/pause`).catch(() => undefined);
  const write = client(url, { authorization: `Basic ${btoa(`${source.writeKey}:`)}` });
  await query(fillPeopleSql, [people, source.id]);
  await query(fillEventsSql, ['u:big', events, source.id, 0, 'big']);
  await query(
    `insert into profile (subject, traits, event_count, first_seen_at, last_seen_at) values ('u:big', '{}', $1, now(), now())
     on conflict do nothing`,
    [events],
  );
  await query(fillDeliveriesSql, [deliveries, destination.id, events]);
  await query('vacuum analyze event');
  await query('vacuum analyze delivery');
  await query('vacuum analyze profile');
  return { api, write, databaseUrl, destination, next: 1 };
}

const idSql = (n) =>
  `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(${n}::text || random()), 1, 3) || '8' || substr(md5(${n}::text || random()), 4, 15))::uuid`;
const payloadSql = (
  who,
) => `json_build_object('type', 'track', 'event', 'Order Completed', 'userId', ${who}, 'messageId', n::text,
      'timestamp', '2026-01-01T00:00:00.000Z', 'receivedAt', '2026-01-01T00:00:00.000Z',
      'properties', json_build_object('revenue', 9.5, 'title', repeat('x', 150)))`;
const fillEventsSql = `
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select $1, date_trunc('milliseconds', now()) - n * interval '1 second', ${idSql('n')}, $3, 'track', 'Order Completed', ${payloadSql('$5::text')}
  from generate_series($4::int + 1, $2::int) as n`;
const fillPeopleSql = `
  with people as (
    insert into profile (subject, traits, event_count, event_totals, first_seen_at, last_seen_at)
    select 'u:p' || n, jsonb_build_object('plan', (array['free', 'pro'])[1 + n % 2], 'email', 'p' || n || '@example.com'), 3,
      jsonb_build_object('Order Completed', jsonb_build_object('count', 3, 'first', 0, 'last', 0)), now() - interval '2 days', now()
    from generate_series(1, $1::int) as n on conflict do nothing
  )
  insert into event (subject, "timestamp", id, source_id, type, name, payload)
  select 'u:p' || n, date_trunc('milliseconds', now()) - k * interval '1 second', ${idSql('n')}, $2, 'track', 'Order Completed', ${payloadSql(`'p' || n`)}
  from generate_series(1, $1::int) as n, generate_series(1, 3) as k`;
const fillDeliveriesSql = `
  insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, state, attempts, due_at)
  select ${idSql('n')}, $2, 'u:big', e."timestamp", e.id, 'track', 'delivered', 1, now()
  from (select *, row_number() over () as n from event where subject = 'u:big') as e,
    generate_series(1, ($1::int / $3::int)) as copy`;

async function eraseBig(world, options) {
  const watch = await watchLocks(world.databaseUrl);
  const others = sendOthers(world);
  await delay(2_000);
  await others.report('quiet');
  watch.take();
  const startedAt = performance.now();
  const receipt = await world.api('DELETE', '/profiles/big');
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`big: ${seconds.toFixed(1)} s`, JSON.stringify(receipt.deleted));
  figure(
    'erasure',
    `a person with ${options.events} events and ${options.deliveries} deliveries`,
    seconds,
    's',
  );
  report('big', watch.take());
  await others.report('beside the big one');
  others.stop();
  await watch.stop();
}

/** Events that no worker has processed yet, quarantined events, and counts per day. */
async function eraseBacklog(world, { query }, { events }) {
  const [{ id: source }] = await query('select id from source limit 1');
  await query(fillEventsSql, ['u:backlog', events, source, 0, 'backlog']);
  await query(
    `insert into profile_day (subject, name, day, count) select 'u:days', 'name ' || n % 100, current_date - n / 100, 1 from generate_series(1, $1::int) n`,
    [events / 2],
  );
  await query(`insert into profile (subject, traits) values ('u:days', '{}')`);
  await query(
    `insert into quarantined_event
       (id, key, source_id, plan_id, plan_version, codes, subject, subjects, type, name, message_id, "timestamp", payload, screened)
     select ${idSql('n')}, gen_random_uuid(), $2, $2, 1, '{}', 'u:quarantined', '{u:quarantined}', 'track', 'Order Completed', n::text,
       now(), ${payloadSql("'quarantined'")}, true from generate_series(1, $1::int) as n`,
    [events, source],
  );
  await query(`
    insert into inbox (id, subjects, timestamps, event_ids)
    select ${idSql('min(n)')}, array_agg(subject), array_agg("timestamp"), array_agg(id)
    from (select *, row_number() over () as n from event where subject = 'u:backlog') as e group by n / 100`);
  for (const name of ['days', 'quarantined', 'backlog']) {
    const watch = await watchLocks(world.databaseUrl);
    const others = sendOthers(world);
    const startedAt = performance.now();
    const receipt = await world
      .api('DELETE', `/profiles/${name}`)
      .catch((error) => ({ deleted: String(error) }));
    console.log(
      `${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
      JSON.stringify(receipt.deleted),
    );
    report(name, watch.take());
    await others.report(name);
    others.stop();
    await watch.stop();
  }
}

async function eraseMany(world, { seconds, clients }, name) {
  const watch = await watchLocks(world.databaseUrl);
  const others = sendOthers(world);
  const until = performance.now() + seconds * 1000;
  const took = [];
  const erase = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await world.api('DELETE', `/profiles/p${world.next++}`);
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, erase));
  console.log(
    `${name}: ${took.length} people, ${Math.round((took.length / seconds) * 3600)} an hour; ${quantiles(took)}`,
  );
  figure('erasure', `${name}, ${clients} clients`, (took.length / seconds) * 3600, 'people an hour');
  report(name, watch.take());
  await others.report(name);
  others.stop();
  await watch.stop();
}

/** Has a segment computed without end, and sends events again. */
function upkeep({ api, destination }, rules) {
  let stopping = false;
  let computed = 0;
  const compute = async () => {
    while (!stopping) {
      const segment = await api('POST', '/segments', {
        name: `bench ${randomUUID()}`,
        rules,
      });
      while (!stopping && (await api('GET', `/segments/${segment.id}`)).state !== 'live') await delay(20);
      if (!stopping) computed += 1;
      await api('DELETE', `/segments/${segment.id}`).catch(() => undefined);
    }
  };
  const replay = async () => {
    await api('POST', `/destinations/${destination.id}/replay`, {
      from: '2020-01-01T00:00:00Z',
      ratePerSecond: 1_000,
    });
  };
  const running = Promise.all([compute(), replay()]);
  return async () => {
    stopping = true;
    await running;
    return computed;
  };
}

/** Sends events of others all the time, one a request. */
function sendOthers({ write, databaseUrl }) {
  let took = [];
  let n = 0;
  const timer = setInterval(() => {
    const startedAt = performance.now();
    void write('POST', '/v1/track', {
      userId: `other-${n++ % 500}`,
      event: 'Seen',
      messageId: randomUUID(),
      timestamp: new Date().toISOString(),
    })
      .then(() => took.push(performance.now() - startedAt))
      .catch((error) => console.error(`An event of another: ${error}`));
  }, 1000 / OTHERS_PER_SECOND);
  return {
    report: async (name) => {
      console.log(`  events of others, ${name}: ${quantiles(took)}`);
      took = [];
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Samples who has a transaction open, for how long, and for whom it waits. */
async function watchLocks(databaseUrl) {
  const sampler = new pg.Client({ connectionString: databaseUrl, application_name: 'sampler' });
  await sampler.connect();
  let transactions = new Map();
  let waits = new Map();
  let oldestInboxMs = 0;
  let stopping = false;
  const loop = (async () => {
    while (!stopping) {
      const { rows } = await sampler.query(`
        select pid, xact_start::text as begun, extract(epoch from clock_timestamp() - xact_start) * 1000 as age,
          wait_event_type as waits, wait_event, left(query, 2000) as query, pg_blocking_pids(pid) as blockers,
          extract(epoch from clock_timestamp() - query_start) * 1000 as "queryAge"
        from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
          and application_name <> 'sampler'`);
      const {
        rows: [inbox],
      } = await sampler.query(`
        select coalesce(max(extract(epoch from now()) * 1000 - ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint), 0)::float8 as age from inbox`);
      oldestInboxMs = Math.max(oldestInboxMs, inbox.age);
      const byPid = new Map(rows.map((row) => [row.pid, row]));
      for (const row of rows) {
        const key = `${row.pid} ${row.begun}`;
        const known = transactions.get(key) ?? { kinds: new Set(), age: 0, gateAt: undefined, held: 0 };
        known.kinds.add(kindOf(row.query));
        known.age = Math.max(known.age, Number(row.age));
        if (Number(row.queryAge) > (known.slowest?.ms ?? 0))
          known.slowest = { ms: Number(row.queryAge), query: short(row.query) };
        if (
          known.kinds.has('gate') &&
          known.gotAt === undefined &&
          !(GATE.test(row.query) && row.waits === 'Lock')
        )
          known.gotAt = Number(row.age);
        if (known.gotAt !== undefined) known.held = Number(row.age) - known.gotAt;
        transactions.set(key, known);
        if (row.waits === 'Lock' && row.blockers.length > 0) {
          const of = row.blockers.map((pid) => kindsOfPid(transactions, byPid.get(pid))).join('+');
          const name = `${kindsOfPid(transactions, row)} [${short(row.query)}] (${row.wait_event}) for ${of}`;
          waits.set(name, Math.max(waits.get(name) ?? 0, Number(row.queryAge)));
        }
      }
      await delay(SAMPLE_MS);
    }
  })();
  return {
    take: () => {
      const taken = { transactions, waits, oldestInboxMs };
      transactions = new Map();
      waits = new Map();
      oldestInboxMs = 0;
      return taken;
    },
    stop: async () => {
      stopping = true;
      await loop;
      await sampler.end();
    },
  };
}

function kindOf(query) {
  if (GATE.test(query)) return 'gate';
  if (
    ERASURE.test(query) ||
    /from delivery where hashtextextended|subject = any\(\$1::text\[\]\) and id <> all/.test(query)
  )
    return 'erasure part';
  if (/delete from event as e using|delete from delivery/.test(query)) return 'erasure part';
  if (/pg_advisory_xact_lock_shared/.test(query)) return 'upkeep';
  if (/segment_task|insert into segment_member/.test(query)) return 'upkeep';
  if (/inbox/.test(query)) return 'events';
  return 'other';
}

function kindsOfPid(transactions, row) {
  if (row === undefined) return '?';
  const kinds = [...(transactions.get(`${row.pid} ${row.begun}`)?.kinds ?? [])];
  return ['gate', 'erasure part', 'upkeep', 'events'].find((kind) => kinds.includes(kind)) ?? 'other';
}

function report(name, { transactions, waits, oldestInboxMs }) {
  const all = [...transactions.values()];
  const ages = (kinds) => all.filter((one) => kinds.some((kind) => one.kinds.has(kind)));
  const gates = ages(['gate']);
  const parts = ages(['erasure part']).filter((one) => !one.kinds.has('gate'));
  const upkeeps = ages(['upkeep']).filter((one) => !one.kinds.has('gate'));
  console.log(
    `  last transactions of erasures: ${quantiles(gates.map(({ age }) => age))}; gate held ${quantiles(gates.map(({ held }) => held))}`,
  );
  console.log(`  parts before: ${quantiles(parts.map(({ age }) => age))}`);
  console.log(`  upkeep: ${quantiles(upkeeps.map(({ age }) => age))}`);
  console.log(`  oldest event in the inbox: ${oldestInboxMs.toFixed(0)} ms`);
  const slowest = all
    .map((one) => one.slowest)
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.ms - a.ms)[0];
  if (slowest !== undefined)
    console.log(`  longest statement: ${slowest.ms.toFixed(0)} ms, ${slowest.query}`);
  for (const [who, ms] of [...waits].sort((a, b) => b[1] - a[1]).slice(0, 12))
    console.log(`  waits ${ms.toFixed(0)} ms: ${who}`);
  figure(
    'erasure',
    `${name}: longest transaction`,
    Math.max(0, ...gates.map(({ age }) => age), ...parts.map(({ age }) => age)),
    'ms',
  );
}

const short = (query) => query.replaceAll(/\s+/g, ' ').trim().slice(0, 100);

function quantiles(values) {
  if (values.length === 0) return 'none';
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))].toFixed(0);
  return `${values.length}, ms p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)}`;
}

function client(url, headers) {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
