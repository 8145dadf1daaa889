// @ts-check
// A year of partitions of events, as a service has them that keeps events for a year.
import { lowestId } from '#dist/events/partitions/partition-plan';

const WEEK_MS = 7 * 86_400_000;
const WEEKS = 50;

export async function makePartitions(database) {
  const rows = await database.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass`,
  );
  const known = new Set(rows.map(({ name }) => name));
  const now = Math.floor(Date.now() / WEEK_MS);
  for (let week = now - WEEKS; week <= now; week += 1) {
    const range = `from ('${lowestId(week * WEEK_MS)}') to ('${lowestId((week + 1) * WEEK_MS)}')`;
    if (known.has(`event_d7_${week}`)) continue;
    await database.query(`create table event_d7_${week} partition of event for values ${range}`);
  }
}
