// @ts-check
// The parts of the service that work on segments, without HTTP and queues.
import { randomUUID } from 'node:crypto';
import { EventStore } from '#dist/events/event-store';
import { Partitions } from '#dist/events/partitions/partitions';
import { InboxReader } from '#dist/ingestion/processing/inbox-reader';
import { InboxTransactions } from '#dist/ingestion/processing/inbox-transactions';
import { Config } from '#dist/platform/config/config';
import { Database } from '#dist/platform/database/database';
import { Metrics } from '#dist/platform/metrics/metrics';
import { SecretBox } from '#dist/platform/secrets/secret-box';
import { NoTracing } from '#dist/platform/tracing/tracing';
import { ProfilesService } from '#dist/profiles/profiles.service';
import { Pseudonyms } from '#dist/profiles/pseudonyms';
import { ProfileLimits } from '#dist/profiles/state/profile-limits';
import { Suppressions } from '#dist/profiles/suppressions';
import { addCompute } from '#dist/segments/computing/segment-tasks';
import { SegmentUpkeep } from '#dist/segments/computing/segment-upkeep';
import { ActiveSegments } from '#dist/segments/definitions/active-segments';
import { changeRevision } from '#dist/segments/definitions/revision';
import { Membership } from '#dist/segments/membership/membership';

/** Everything that works on profiles and segments of one database. */
export function openParts(databaseUrl) {
  const config = Config.from({
    CDP_DATABASE_URL: databaseUrl,
    CDP_ENCRYPTION_KEY: 'benchmark-encryption-key',
    CDP_JWT_SECRET: 'benchmark-jwt-secret',
  });
  const database = new Database(config);
  const pseudonyms = new Pseudonyms(database, new SecretBox(config));
  const suppressions = new Suppressions(pseudonyms, config);
  const active = new ActiveSegments(database, config);
  const store = new EventStore(config, new Partitions(config));
  const reader = new InboxReader(store, suppressions);
  return {
    database,
    store,
    transactions: new InboxTransactions(database, reader, new NoTracing(), new Metrics()),
    profiles: new ProfilesService(new ProfileLimits(), suppressions),
    membership: new Membership(active),
    upkeep: new SegmentUpkeep(database, active),
    close: async () => {
      await store.onApplicationShutdown();
      await database.pool.end();
    },
  };
}

/** Stores a definition; `computed` answers it as if its members had been computed already. */
export async function addSegment(database, rules, { computed = false } = {}) {
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
