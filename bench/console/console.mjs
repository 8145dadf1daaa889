// npm run bench -- console [--rows 10000] [--rounds 5]: how long the pages of the console work themselves, with so many
// rows behind them, and how much the first load is. Needs a chromium on the PATH.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { openConsole } from '../../scripts/demo/console-page.mjs';
import { managementApi } from '../../scripts/demo/management-api.mjs';
import { startOwnService } from '../../scripts/demo/own-service.mjs';
import { startReceiver } from '../../scripts/demo/receiver.mjs';
import { figure } from '../support/figures.mjs';

/** What the console promises for a page, and for its first load. */
const MAX_PAGE_MS = 200;
const MAX_LOAD_KB = 300;
const BATCH = 500;
/** Of a tracking plan: no more versions are kept. */
const MAX_VERSIONS = 1_000;
const RULES = 200;
const WAIT_MS = 300_000;
const SECRET = 'whsec-of-the-benchmark';
/** A page that does less in this time does nothing any more. */
const LOOK_EVERY_MS = 200;
const IDLE_MS = 2;
const VIEWPORT = { width: 1280, height: 900 };

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
  });
  const service = await startOwnService();
  const receiver = await startReceiver(SECRET);
  try {
    const pages = await fill(service, receiver, Number(values.rows));
    const { page, close } = await openConsole(service, VIEWPORT);
    try {
      await measureLoad(page, service);
      for (const [name, path] of Object.entries(pages))
        figure('page', name, await measureWork(page, path, Number(values.rounds)), 'ms', MAX_PAGE_MS);
    } finally {
      await close();
    }
  } finally {
    receiver.stop();
    await service.stop();
  }
}

/** People, members of a segment, events of one person, and events that are refused: so many of each, and twice as many deliveries. @returns the pages that show them */
async function fill(service, receiver, rows) {
  const api = managementApi(service.url, service.token);
  const segment = await api.post('/segments', { name: 'Everybody', rules: [] });
  const config = { url: receiver.url, secret: SECRET };
  const destination = await api.post('/destinations', { name: 'Receiver', type: 'webhook', config });
  const { writeKey } = await api.post('/sources', { name: 'Shop' });
  for (let sent = 0; sent < rows; sent += BATCH) await sendBatch(service, writeKey, nameless(), 400);
  for (let sent = 0; sent < rows; sent += BATCH) await sendBatch(service, writeKey, ofPeople(sent));
  for (let sent = 0; sent < rows; sent += BATCH) await sendBatch(service, writeKey, ofOne());
  await until(async () => (await api.get(`/segments/${segment.id}`)).memberCount >= rows);
  await until(async () => (await api.get(`/destinations/${destination.id}/stats`)).pending === 0);
  const [event] = await api.get('/events?userId=user-0&limit=1');
  const plan = await aPlan(api);
  return {
    overview: '/overview',
    events: '/events',
    'one event': `/events/${event.id}`,
    'rejected events': '/events/rejected',
    'live tail': '/events/live',
    people: '/people',
    'one person': '/people/person?userId=user-0',
    segments: '/segments',
    'one segment': `/segments/${segment.id}`,
    'edit a segment': `/segments/${segment.id}/edit`,
    destinations: '/destinations',
    'one destination': `/destinations/${destination.id}`,
    deliveries: `/destinations/${destination.id}/deliveries`,
    sources: '/sources',
    'one tracking plan': `/tracking-plans/${plan.id}`,
    'edit a tracking plan': `/tracking-plans/${plan.id}/edit`,
    'versions of a plan': `/tracking-plans/${plan.id}/versions`,
    'one version': `/tracking-plans/${plan.id}/versions/${MAX_VERSIONS}`,
    audit: '/audit',
    configuration: '/configuration',
  };
}

/** A plan with all the versions that are kept; each rule of the last one is another than before. */
async function aPlan(api) {
  const rules = (count, type) =>
    Array.from({ length: count }, (_, n) => ({
      type: 'track',
      event: `Event ${n}`,
      schema: { properties: { properties: { required: ['total'], properties: { total: { type } } } } },
    }));
  const plan = await api.post('/tracking-plans', { name: 'Shop', rules: [] });
  const change = (members) => api.put(`/tracking-plans/${plan.id}`, members);
  for (let version = 2; version < MAX_VERSIONS - 1; version += 1)
    await change({ description: `As it was in version ${version}.` });
  await change({ rules: rules(RULES, 'number') });
  return change({ rules: rules(RULES, 'string') });
}

/** Another person each. */
function ofPeople(first) {
  return Array.from({ length: BATCH }, (_, n) => ({
    type: 'identify',
    userId: `user-${first + n}`,
    traits: { plan: n % 2 === 0 ? 'pro' : 'free', number: first + n },
  }));
}

function ofOne() {
  return Array.from({ length: BATCH }, (_, n) => ({
    type: 'track',
    event: 'Order Completed',
    userId: 'user-0',
    properties: { total: n },
  }));
}

/** Tracks that nobody knows the name of: they are refused. */
function nameless() {
  return Array.from({ length: BATCH }, () => ({ type: 'track', userId: 'user-0' }));
}

async function sendBatch({ url }, writeKey, events, status = 200) {
  const timestamp = new Date().toISOString();
  const batch = events.map((event) => ({ ...event, messageId: randomUUID(), timestamp }));
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${writeKey}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
  });
  if (answer.status !== status)
    throw new Error(`The batch was answered ${answer.status}: ${await answer.text()}`);
}

async function until(isTrue) {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await delay(200)) if (await isTrue()) return;
  throw new Error('What was sent was not processed in time.');
}

/** Everything that is loaded before the first page is there, as it travels. */
async function measureLoad(page, { url }) {
  await page.goto(`${url}/console/`);
  await page.waitForLoadState('networkidle');
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/console/assets/'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  figure('first load', 'compressed', bytes / 1000, 'KB', MAX_LOAD_KB);
}

/**
 * What the browser does for a page: scripts, style, layout, painting, from the click on until nothing is to be done any
 * more. Not the answers of the service that it waits for. The median of some rounds; in one before them the code of the
 * page is loaded.
 */
async function measureWork(page, path, rounds) {
  const session = await page.context().newCDPSession(page);
  // Of the processor, not of the clock: other programs on the machine do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const times = [];
  for (let round = 0; round <= rounds; round += 1) {
    await goTo(page, session, '/nowhere');
    const before = await busyMs(session);
    await goTo(page, session, path);
    times.push((await busyMs(session)) - before);
  }
  await session.detach();
  return medianOf(times.slice(1));
}

/** As a link does: without loading the console again. */
async function goTo(page, session, path) {
  await page.evaluate((to) => history.pushState(null, '', `/console${to}`), path);
  const isThere = async () => {
    const nothing = await page.getByRole('heading', { name: 'Nothing here' }).count();
    return nothing === (path === '/nowhere' ? 1 : 0) && !(await page.getByLabel('Loading').count());
  };
  for (;;) {
    const before = await busyMs(session);
    await delay(LOOK_EVERY_MS);
    if ((await busyMs(session)) - before < IDLE_MS && (await isThere())) return;
  }
}

async function busyMs(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

function medianOf(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
