// @ts-check
// One worker process: takes its inbox rows and updates profiles, two transactions at once as in the service.
import { performance } from 'node:perf_hooks';
import { EventStore } from '#dist/events/event-store';
import { Partitions } from '#dist/events/partitions/partitions';
import { InboxReader } from '#dist/ingestion/processing/inbox-reader';
import { InboxTransactions } from '#dist/ingestion/processing/inbox-transactions';
import { tuneHeap } from '#dist/platform/boot/tune-heap';
import { Config } from '#dist/platform/config/config';
import { Database } from '#dist/platform/database/database';
import { Metrics } from '#dist/platform/metrics/metrics';
import { SecretBox } from '#dist/platform/secrets/secret-box';
import { NoTracing } from '#dist/platform/tracing/tracing';
import { ProfilesService } from '#dist/profiles/profiles.service';
import { Pseudonyms } from '#dist/profiles/pseudonyms';
import { ProfileLimits } from '#dist/profiles/state/profile-limits';
import { Suppressions } from '#dist/profiles/suppressions';

const { databaseUrl, inboxIds, warmupRows, concurrency } = JSON.parse(process.argv[2]);

tuneHeap(); // As in the service.
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
