// `npm run screenshot`: makes docs/console.png, the picture at the top of the README, from the events of the demo: where
// an order of the tea shop went. Needs a chromium on the PATH.
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { Analytics } from '@segment/analytics-node';
import { openConsole } from './demo/console-page.mjs';
import { managementApi } from './demo/management-api.mjs';
import { startOwnService } from './demo/own-service.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { shopEvents, shopper } from './demo/shoppers.mjs';

const SECRET = 'whsec-of-the-demo';
const VISITORS = 12;
/** On the free plan, and has ordered. */
const CUSTOMER = shopper(1);
const WAIT_MS = 30_000;
const PICTURE = fileURLToPath(new URL('../docs/console.png', import.meta.url));

const service = await startOwnService();
const receiver = await startReceiver(SECRET);
try {
  const api = managementApi(service.url, service.token);
  await configure(api);
  await sendEvents(await api.post('/sources', { name: 'Tea shop' }));
  await takePicture(await orderOf(api));
} finally {
  receiver.stop();
  await service.stop();
}

/** One destination gets everything, one is away, and two have filters that say no. */
async function configure(api) {
  const gold = await api.post('/segments', {
    name: 'Gold customers',
    rules: [{ field: 'plan', operator: 'eq', value: 'gold' }],
  });
  const toReceiver = { url: receiver.url, secret: SECRET };
  const large = { field: 'properties.total', operator: 'gte', value: 500 };
  const destinations = {
    'Order service': { config: toReceiver },
    Warehouse: { config: { url: 'http://127.0.0.1:9/' } },
    'Fraud check': { config: toReceiver, filter: { events: ['Order *'], conditions: [large] } },
    'Gold club': { config: toReceiver, filter: { segments: [gold.id] } },
  };
  for (const [name, members] of Object.entries(destinations))
    await api.post('/destinations', { name, type: 'webhook', ...members });
}

async function sendEvents({ writeKey }) {
  const analytics = new Analytics({ writeKey, host: service.url, flushAt: 50 });
  for (const [method, argument] of shopEvents(VISITORS)) analytics[method](argument);
  await analytics.closeAndFlush();
}

/** The order, when a destination has it. */
async function orderOf(api) {
  const query = new URLSearchParams({ userId: CUSTOMER.userId, name: 'Order Completed' });
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await delay(200)) {
    const [order] = await api.get(`/events?${query.toString()}`);
    const { destinations = [] } = order === undefined ? {} : await api.get(`/events/${order.id}/trace`);
    if (destinations.some(({ outcome }) => outcome === 'delivered')) return order;
  }
  throw new Error('The order was not delivered.');
}

async function takePicture({ id }) {
  const { page, close } = await openConsole(service, { width: 1280, height: 1120 });
  try {
    await page.goto(`${service.url}/console/events/${id}`);
    await page.getByRole('link', { name: 'Gold customers' }).waitFor();
    await page.screenshot({ path: PICTURE });
    console.log(`Written to ${PICTURE}`);
  } finally {
    await close();
  }
}
