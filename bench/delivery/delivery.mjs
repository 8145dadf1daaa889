// npm run bench -- delivery [--queue redis|postgres] [--total n] [--rounds n] [--drain-seconds n] [--only part]
//   [--database-url postgres://…, a superuser's; the embedded PostgreSQL otherwise]
import { parseArgs } from 'node:util';
import { measureBacklog } from './backlog.mjs';
import { measureBatches } from './batches.mjs';
import { measureIsolation } from './isolation.mjs';
import { measureMemory } from './memory.mjs';
import { measureOrder } from './order.mjs';
import { measureThroughput } from './throughput.mjs';

/** What each part promises. */
const PARTS = {
  throughput: measureThroughput,
  order: measureOrder,
  batches: measureBatches,
  isolation: measureIsolation,
  memory: measureMemory,
  backlog: measureBacklog,
};

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      queue: { type: 'string', default: 'redis' },
      total: { type: 'string' },
      rounds: { type: 'string' },
      'drain-seconds': { type: 'string' },
      only: { type: 'string' },
      'database-url': { type: 'string' },
    },
  });
  const options = {
    redis: values.queue === 'redis',
    databaseUrl: values['database-url'],
    ...(values.total && { total: Number(values.total) }),
    ...(values['drain-seconds'] && { drainSeconds: Number(values['drain-seconds']) }),
    ...(values.rounds && { rounds: Number(values.rounds) }),
  };
  for (const [name, measure] of Object.entries(PARTS)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`${name} (queue on ${values.queue})`);
    await measure(options);
  }
}
