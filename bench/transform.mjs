// @ts-check
// npm run bench -- transform: what CPU a transformation costs an event, its way to a thread of the sandbox and back
// included. The ratio is that to the same code as it would run without a sandbox: JSON.parse, transform, JSON.stringify.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { figure } from './support/figures.mjs';
import { Engine } from '#dist/transformations/sandbox/engine';
import { Sandbox } from '#dist/transformations/sandbox/sandbox';
import { transformEvent } from '#dist/transformations/transform-event';

const EVENTS = 20_000;
const ROUNDS = 5;
/** Deliveries of a worker that wait for theirs. */
const AT_ONCE = 64;

const CODE = `export function transform({ context, properties: { internal, ...properties }, ...event }) {
  return { ...event, shop: 'north', properties: { ...properties, total: properties.total * 2 } };
}`;

export async function run() {
  const text = JSON.stringify(sampleEvent());
  const code = { id: 'bench', text: CODE };
  const sandbox = new Sandbox();
  const engine = new Engine();
  const { transform } = await import(`data:text/javascript,${encodeURIComponent(CODE)}`);
  const costs = { sandbox: [], engine: [], bare: [] };
  try {
    // The first round is not reported: what runs often is compiled.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const found = {
        bare: await cpuOf(async () => JSON.stringify(transform(JSON.parse(text))), 1),
        engine: await cpuOf(() => engine.run(code, `[${text}]`), 1),
        sandbox: await cpuOf(() => transformEvent(sandbox, code, text), AT_ONCE),
      };
      if (round > 0) for (const [name, cost] of Object.entries(found)) costs[name].push(cost);
    }
  } finally {
    await sandbox.onModuleDestroy();
  }
  const [bare, inEngine, inSandbox] = [costs.bare, costs.engine, costs.sandbox].map(median);
  console.log(
    `  an event of ${text.length} bytes: ${inSandbox.toFixed(0)} µs of CPU, ${inEngine.toFixed(0)} of them in the engine; ${bare.toFixed(1)} without a sandbox`,
  );
  figure('transform', `CPU, ${text.length} bytes an event`, inSandbox, 'µs/event', bare);
  figure('transform', 'of that in the engine', inEngine, 'µs/event', bare);
}

/** Of all threads of this process, in microseconds for each. */
async function cpuOf(work, atOnce) {
  const before = process.cpuUsage();
  let left = EVENTS;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EVENTS;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function sampleEvent() {
  const now = new Date().toISOString();
  return {
    type: 'track',
    event: 'Order Completed',
    userId: 'user-4711',
    messageId: randomUUID(),
    timestamp: now,
    receivedAt: now,
    properties: {
      orderId: '50314b8e9bcf000000000000',
      total: 30,
      currency: 'EUR',
      products: ['shoes', 'socks', 'laces'],
      internal: { margin: 0.3 },
    },
    context: {
      ip: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      locale: 'en-GB',
      page: { path: '/shop/order', title: 'Thank you for your order' },
    },
  };
}
