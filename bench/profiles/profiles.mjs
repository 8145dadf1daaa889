// What profiles cost: from the inbox to the updated profile, by kind of traffic and number of profiles; and reading one.
//   npm run bench -- profiles [process|scale|read|fill-events|fill-profiles ...]
//     --events N        events per measurement (60,000)
//     --rounds N        rounds of `process` (3)
//     --traffic NAME    of `process` only this kind, as in traffic.mjs
//     --profiles N      profiles of the large case of `scale` (5,000,000)
//     --stored N        events stored for `read` (5,000,000)
//     --data DIR        keeps what `scale` and `read` need there, so that the next run need not make it: fill-profiles
//                       and fill-events make it only
//     --database URL    a PostgreSQL instead of the embedded one
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../support/postgres.mjs';

const PARTS = { process: './process-inbox.mjs', scale: './scale.mjs', read: './read-profile.mjs' };
const FILLS = { 'fill-events': './fill-events.mjs', 'fill-profiles': './fill-profiles.mjs' };

export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      events: { type: 'string', default: '60000' },
      rounds: { type: 'string', default: '3' },
      traffic: { type: 'string' },
      profiles: { type: 'string', default: '5000000' },
      stored: { type: 'string', default: '5000000' },
      data: { type: 'string' },
      database: { type: 'string' },
    },
  });
  for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    const database = await openBenchDatabase(
      values.database,
      part === 'process' ? {} : { keepIn: values.data },
    );
    try {
      const { measure } = await import({ ...PARTS, ...FILLS }[part]);
      await measure(database, {
        events: Number(values.events),
        rounds: Number(values.rounds),
        traffic: values.traffic,
        profiles: Number(values.profiles),
        stored: Number(values.stored),
      });
    } finally {
      await database.close();
    }
  }
}
