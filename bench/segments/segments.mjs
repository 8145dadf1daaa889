// What segments cost: an event with many segments, the computation of one, the members of one.
//   npm run bench -- segments [fill|event|measures|compute|compute-measures|members ...]
//     --profiles N      profiles to compute over (1,000,000)
//     --data DIR        keeps the profiles there, so that the next run need not make them: `fill` makes them only
//     --database URL    a PostgreSQL instead of the embedded one
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../support/postgres.mjs';

const PARTS = {
  fill: './fill.mjs',
  event: './event-cost.mjs',
  measures: './measure-cost.mjs',
  compute: './full-computation.mjs',
  'compute-measures': './measured-computation.mjs',
  members: './stream-members.mjs',
};

export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      profiles: { type: 'string', default: '1000000' },
      data: { type: 'string' },
      database: { type: 'string' },
    },
  });
  const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const database = await openBenchDatabase(values.database, { keepIn: values.data });
  try {
    for (const part of parts) {
      const { measure } = await import(PARTS[part]);
      await measure(database, { profiles: Number(values.profiles) });
    }
  } finally {
    await database.close();
  }
}
