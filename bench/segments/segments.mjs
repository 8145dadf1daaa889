// What segments cost: an event with many segments, the computation of one, the members of one.
//   npm run bench -- segments [event|compute|members ...]
//     --profiles N      profiles to compute over (1,000,000)
//     --database URL    a PostgreSQL instead of the embedded one
import { parseArgs } from 'node:util';
import { buildService } from '../support/service.mjs';
import { openBenchDatabase } from '../support/postgres.mjs';

const PARTS = {
  event: './event-cost.mjs',
  compute: './full-computation.mjs',
  members: './stream-members.mjs',
};

export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { profiles: { type: 'string', default: '1000000' }, database: { type: 'string' } },
  });
  buildService();
  for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    const database = await openBenchDatabase(values.database);
    try {
      const { measure } = await import(PARTS[part]);
      await measure(database, { profiles: Number(values.profiles) });
    } finally {
      await database.close();
    }
  }
}
