// npm run bench -- plan-trials [--events 12000] [--last 10000] [--rounds 7]: how long a tracking plan of 200 rules takes to
// be tried on stored events, and one to be inferred from them, beside the parsing of their JSON alone.
import { parseArgs } from 'node:util';
import { randomUUID } from 'node:crypto';
import { managementApi } from '../scripts/demo/management-api.mjs';
import { startOwnService } from '../scripts/demo/own-service.mjs';
import { EVENT_NAMES, planContent } from './ingest/plan.mjs';
import { sampleEvent } from './ingest/sample-event.mjs';
import { figure } from './support/figures.mjs';

const BATCH = 500;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '12000' },
      last: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '7' },
    },
  });
  const service = await startOwnService();
  try {
    const api = managementApi(service.url, service.token);
    const { id: sourceId, writeKey } = await api.post('/sources', { name: 'Shop' });
    const events = Array.from({ length: Number(values.events) }, (_, index) => eventOf(index));
    for (let sent = 0; sent < events.length; sent += BATCH)
      await sendBatch(service, writeKey, events.slice(sent, sent + BATCH));
    const last = Number(values.last);
    const texts = events.slice(0, last).map((event) => JSON.stringify(event));
    const rounds = Number(values.rounds);
    const bare = await median(rounds, () => texts.forEach((text) => JSON.parse(text)));
    const preview = () => api.post('/tracking-plans/preview', { plan: planContent(), sourceId, last });
    console.log(`Of ${(await preview()).events} events`);
    figure('plan', 'preview', await median(rounds, preview), 'ms', bare);
    const infer = () => api.post('/tracking-plans/infer', { sourceId, last });
    figure('plan', 'infer', await median(rounds, infer), 'ms', bare);
  } finally {
    await service.stop();
  }
}

/** Every tenth has something that its rule does not allow. */
function eventOf(index) {
  const event = sampleEvent(randomUUID(), `user-${index}`, new Date().toISOString());
  const name = EVENT_NAMES[index % EVENT_NAMES.length];
  const { properties } = event;
  return {
    ...event,
    event: name,
    properties: index % 10 === 0 ? { ...properties, revenue: -1 } : properties,
  };
}

async function sendBatch({ url }, writeKey, batch) {
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${writeKey}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
  });
  if (!answer.ok) throw new Error(`The batch was answered ${answer.status}: ${await answer.text()}`);
}

async function median(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}
