// One worker process: takes its inbox rows and updates profiles, two transactions at once as in the service.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const { databaseUrl, inboxIds, warmupRows, concurrency } = JSON.parse(process.argv[2]);
const dist = (file) => createRequire(import.meta.url)(`../../dist/${file}.js`);
const { letHeapGrow } = dist('platform/boot/heap-growth');
const { Config } = dist('platform/config/config');
const { Database } = dist('platform/database/database');
const { EventStore } = dist('events/event-store');
const { Partitions } = dist('events/partitions/partitions');
const { InboxTransactions } = dist('ingestion/processing/inbox-transactions');
const { InboxReader } = dist('ingestion/processing/inbox-reader');
const { Metrics } = dist('platform/metrics/metrics');
const { NoTracing } = dist('platform/tracing/tracing');
const { ProfilesService } = dist('profiles/profiles.service');
const { ProfileLimits } = dist('profiles/state/profile-limits');
const { Pseudonyms } = dist('profiles/pseudonyms');
const { SecretBox } = dist('platform/secrets/secret-box');
const { Suppressions } = dist('profiles/suppressions');

letHeapGrow(); // As in the service.
const config = Config.from({ CDP_DATABASE_URL: databaseUrl, CDP_ENCRYPTION_KEY: 'benchmark-encryption-key' });
const database = new Database(config);
const store = new EventStore(config, new Partitions(config));
const suppressions = new Suppressions(new Pseudonyms(database, new SecretBox(config)), config);
const profiles = new ProfilesService(new ProfileLimits(), suppressions);
const transactions = new InboxTransactions(
  database,
  new InboxReader(store, suppressions),
  new NoTracing(),
  new Metrics(),
);

// Connections are open, statements prepared and code compiled before the clock starts.
await Promise.all(Array.from({ length: concurrency }, () => database.query('select pg_sleep(0.05)')));
await processRows(inboxIds.splice(0, warmupRows));
const from = performance.now();
const cpuFrom = process.cpuUsage();
await processRows(inboxIds);
const { user, system } = process.cpuUsage(cpuFrom);
const result = {
  from: performance.timeOrigin + from,
  to: performance.timeOrigin + performance.now(),
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(`${JSON.stringify({ result })}\n`);
await database.close();
await store.onApplicationShutdown();

async function processRows(ids) {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        await transactions.process([id], (events, tx) => profiles.apply(events, tx));
      }
    }),
  );
}
