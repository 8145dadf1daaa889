// `npm run demo`: the whole story of the service in one terminal, in under a minute.
// Options: --url <address of a running service> --token <JWT for it> --visitors <number> --stay
import { parseArgs } from 'node:util';
import { Analytics } from '@segment/analytics-node';
import cliProgress from 'cli-progress';
import { setTimeout as delay } from 'node:timers/promises';
import { startExports } from './demo/exports.mjs';
import { managementApi } from './demo/management-api.mjs';
import { isReady, startOwnService } from './demo/own-service.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { bad, good, heading, line, showProfile } from './demo/report.mjs';
import { shopEvents, shopper } from './demo/shoppers.mjs';

const SECRET = 'whsec-of-the-demo';
const WAIT_MS = 45_000;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    visitors: { type: 'string', default: '48' },
    stay: { type: 'boolean', default: false },
  },
});

const startedAt = Date.now();
const closers = [];
process.once('SIGINT', () => void closeAll().then(() => process.exit(130)));
process.once('SIGTERM', () => void closeAll().then(() => process.exit(143)));
try {
  process.exitCode = (await tell()) ? 0 : 1;
} catch (error) {
  console.error(bad(error.message));
  process.exitCode = 1;
} finally {
  await closeAll();
}

async function tell() {
  heading('A customer data platform, from the first event to the signed webhook');
  const service = await findService();
  const api = managementApi(service.url, service.token);
  const receiver = await startReceiver(SECRET);
  closers.push(() => receiver.stop());

  const source = await api.post('/sources', { name: 'Tea shop', description: 'The shop of the demo' });
  await api.post('/destinations', {
    name: 'Tea shop receiver',
    type: 'webhook',
    config: { url: receiver.url, secret: SECRET },
  });
  const exports = await startExports(api);
  closers.push(() => exports.stop());
  const segment = await api.post('/segments', {
    name: 'Gold customers with an order',
    description: 'On the gold plan, with at least eight events',
    rules: [
      { field: 'plan', operator: 'eq', value: 'gold' },
      { field: 'event_count', operator: 'gte', value: 8 },
    ],
  });
  line('Service', service.url);
  line('Source', `${source.name} (write key ${source.writeKey.slice(0, 8)}…)`);
  line('Destinations', `${receiver.url}, and a bucket in JSON lines and Parquet`);
  line('Segment', segment.name);

  const calls = shopEvents(Number(options.visitors));
  heading(`${calls.length} shop events through @segment/analytics-node`);
  await sendAll(calls, service.url, source.writeKey);
  heading('Signed webhooks at the receiver');
  await receiveAll(calls.length, receiver);
  const exported = await exports.show(calls.length);
  const delivered = await show(api, receiver, segment, calls.length);
  await lookAround(service);
  return delivered && exported;
}

async function findService() {
  if (options.url === undefined) {
    line('Starting', 'a service of our own, on an empty embedded PostgreSQL');
    const service = await startOwnService();
    closers.push(() => service.stop());
    return service;
  }
  if (!(await isReady(options.url))) throw new Error(`No service is ready at ${options.url}.`);
  if (options.token === undefined) throw new Error('--url needs --token "$(npm run -s token)".');
  return { url: options.url, token: options.token };
}

async function sendAll(calls, host, writeKey) {
  const bar = progressBar(calls.length, 'accepted');
  const analytics = new Analytics({ writeKey, host, flushAt: 20, flushInterval: 200 });
  const failures = [];
  analytics.on('error', (error) => failures.push(error));
  const accepted = calls.map(
    ([method, argument]) =>
      new Promise((resolve) => {
        analytics[method](argument, () => resolve(bar.increment()));
      }),
  );
  await Promise.all(accepted);
  await analytics.closeAndFlush();
  bar.stop();
  if (failures.length > 0) throw new Error(`The SDK could not send: ${JSON.stringify(failures[0])}`);
}

/** What the service itself says (`Segment Entered`) arrives beside the events that were sent. */
async function receiveAll(expected, receiver) {
  const bar = progressBar(expected, 'received');
  const deadline = Date.now() + WAIT_MS;
  while (sentEvents(receiver).length < expected && Date.now() < deadline) {
    bar.update(sentEvents(receiver).length);
    await delay(50);
  }
  bar.update(sentEvents(receiver).length);
  bar.stop();
}

async function show(api, receiver, segment, expected) {
  const everybody = Array.from({ length: Number(options.visitors) }, (_, number) => shopper(number));
  const members = await api.get(`/segments/${segment.id}/members`);
  const profile = await api.get(`/profiles/${members[0] ?? everybody[0].userId}`);
  showProfile(profile);

  const total = receiver.events().length;
  const notices = total - sentEvents(receiver).length;
  const allVerified = receiver.verified() === total;
  const allThere = total - notices === expected;
  heading('What came out');
  line('Events sent', String(expected));
  line('Webhooks received', (allThere ? good : bad)(`${total - notices} of ${expected}`));
  if (notices > 0) line('and of the service', `${notices} (such as Segment Entered)`);
  line('Signatures verified', (allVerified ? good : bad)(`${receiver.verified()} of ${total}`));
  line('Tried again', `${receiver.retried()} that the receiver had refused with 503`);
  line(segment.name, `${members.length} of ${everybody.length}: ${members.slice(0, 6).join(', ')}…`);
  line('Time', `${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return allThere && allVerified;
}

async function lookAround({ url, token }) {
  if (!options.stay && options.url === undefined) {
    console.log('\n  To look around in all this, run `npm run demo -- --stay`.\n');
    return;
  }
  heading('Look around');
  line('Swagger UI', `${url}/docs`);
  line('Bull Board', `${url}/queues`);
  line('A token for both', token);
  line('A profile', `curl -H "Authorization: Bearer $TOKEN" ${url}/profiles/${shopper(0).userId}`);
  if (!options.stay) return;
  console.log('\n  Ctrl-C stops the service and removes its data.');
  await new Promise(() => setInterval(() => undefined, 60_000));
}

function sentEvents(receiver) {
  return receiver.events().filter(({ context }) => context?.library?.name === '@segment/analytics-node');
}

function progressBar(total, what) {
  const bar = new cliProgress.SingleBar(
    { format: `  {bar} {value}/{total} ${what}`, barsize: 40, noTTYOutput: true, notTTYSchedule: 1_000 },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0);
  return bar;
}

async function closeAll() {
  for (const close of closers.splice(0).toReversed()) await close();
}
