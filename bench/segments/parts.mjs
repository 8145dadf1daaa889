// The parts of the service that work on segments, without HTTP and queues.
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';

const require = createRequire(import.meta.url);
const dist = (file) => require(`../../dist/${file}.js`);

/** Everything that works on profiles and segments of one database. */
export function openParts(databaseUrl) {
  const { Config } = dist('platform/config/config');
  const config = Config.from({
    CDP_DATABASE_URL: databaseUrl,
    CDP_ENCRYPTION_KEY: 'benchmark-encryption-key',
    CDP_JWT_SECRET: 'benchmark-jwt-secret',
  });
  const database = new (dist('platform/database/database').Database)(config);
  const pseudonyms = new (dist('profiles/pseudonyms').Pseudonyms)(
    database,
    new (dist('platform/secrets/secret-box').SecretBox)(config),
  );
  const suppressions = new (dist('profiles/suppressions').Suppressions)(pseudonyms);
  const active = new (dist('segments/definitions/active-segments').ActiveSegments)(database, config);
  const store = new (dist('events/event-store').EventStore)(
    config,
    new (dist('events/partitions/partitions').Partitions)(config),
  );
  const reader = new (dist('ingestion/processing/inbox-reader').InboxReader)(
    store,
    suppressions,
    new (dist('platform/metrics/metrics').Metrics)(),
  );
  return {
    database,
    store,
    transactions: new (dist('ingestion/processing/inbox-transactions').InboxTransactions)(
      database,
      reader,
      new (dist('platform/tracing/tracing').NoTracing)(),
    ),
    profiles: new (dist('profiles/profiles.service').ProfilesService)(
      new (dist('profiles/state/profile-limits').ProfileLimits)(),
      suppressions,
    ),
    membership: new (dist('segments/membership/membership').Membership)(active),
    upkeep: new (dist('segments/computing/segment-upkeep').SegmentUpkeep)(database, active),
    close: async () => {
      await store.onApplicationShutdown();
      await database.pool.end();
    },
  };
}

/** Stores a definition; `computed` answers it as if its members had been computed already. */
export async function addSegment(database, rules, { computed = false } = {}) {
  const { changeRevision } = dist('segments/definitions/revision');
  const { addCompute } = dist('segments/computing/segment-tasks');
  const id = randomUUID();
  await database.transaction(async (tx) => {
    await changeRevision(tx);
    const [{ generation }] = await tx.query(`
      select nextval('segment_generation_seq')::integer as generation`);
    await tx.query(
      `insert into segment (id, name, match, rules, generation, live_generation, state)
       values ($1, $2, 'all', $3, $4, $5, $6)`,
      [
        id,
        `segment ${generation}`,
        JSON.stringify(rules),
        generation,
        computed ? generation : null,
        computed ? 'live' : 'computing',
      ],
    );
    if (!computed) await addCompute({ id, generation, liveGeneration: null }, tx);
  });
  return id;
}

/** Removes all definitions, and whatever was computed for them. */
export async function removeAll(database) {
  const { changeRevision } = dist('segments/definitions/revision');
  await database.transaction(async (tx) => {
    await changeRevision(tx);
    await tx.query('delete from segment');
    await tx.query('delete from kept_trait');
  });
  await database.query('truncate segment_member, computed_value');
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Keeps the values of a new computed trait, as if it had been computed for everybody already. */
export async function keepTrait(database, definition) {
  const { changeRevision } = dist('segments/definitions/revision');
  const id = randomUUID();
  await database.transaction(async (tx) => {
    await changeRevision(tx);
    await tx.query(
      `insert into computed_trait (id, name, description, definition, version) values ($1, $2, '', $3, 1)`,
      [id, `trait_${id}`, definition],
    );
    await tx.query(
      `insert into kept_trait (trait_id, definition, nothing, state) select id, definition, '0', 'live'
       from computed_trait where id = $1`,
      [id],
    );
  });
}
