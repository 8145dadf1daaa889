import type { Client } from 'pg';
import type { Subject } from '../../src/events/customer-event';
import { readDayCounts } from '../../src/segments/membership/read-day-counts';
import type { EventCountField } from '../../src/segments/rules/predicate';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const NOW_MS = Date.UTC(2026, 6, 1);
const TODAY = NOW_MS / 86_400_000;
const DAYS = 30;

/** Two people who have done three things on each of 30 days. */
describe('counts per day', () => {
  let test: ConnectedDatabase;
  let client: Client;

  beforeAll(async () => {
    test = await connectTestDatabase();
    client = test.client;
    await client.query(
      `insert into profile_day (subject, name, day, count)
       select subject, name, date '2026-07-01' - ago, 1
       from unnest(array['u:ada', 'u:ben']) as subject, unnest(array['Order', 'Seen', 'page']) as name,
         generate_series(0, ${DAYS - 1}) as ago`,
    );
  });
  afterAll(() => test.drop());

  it('are read of each person as far as that person is asked about them', async () => {
    const counts = await read([
      { subject: 'u:ada', dayCounts: [counted(1)] },
      { subject: 'u:ben', dayCounts: [counted(20, 'Order')] },
      { subject: 'u:eve', dayCounts: [] },
    ]);
    expect(counts).toEqual({
      'u:ada': { Order: [0, 1], Seen: [0, 1], page: [0, 1] },
      'u:ben': { Order: upTo(20) },
    });
  });

  it('are read once where some of a name are among those of all names', async () => {
    const dayCounts = [counted(3, 'Order'), counted(2), counted(1, 'Seen'), counted(5, 'Order')];
    expect(await read([{ subject: 'u:ada', dayCounts }])).toEqual({
      'u:ada': { Order: upTo(5), Seen: upTo(2), page: upTo(2) },
    });
  });

  it('are all of those without a window', async () => {
    const dayCounts: EventCountField[] = [{ kind: 'event_count', type: 'page' }, counted(2, 'Order')];
    const everything = upTo(DAYS - 1);
    expect(await read([{ subject: 'u:ada', dayCounts }])).toEqual({
      'u:ada': { Order: everything, Seen: everything, page: everything },
    });
  });

  function counted(days: number, event?: string): EventCountField {
    const window = { unit: 'day', count: days } as const;
    return event === undefined ? { kind: 'event_count', window } : { kind: 'event_count', event, window };
  }

  function upTo(days: number): number[] {
    return Array.from({ length: days + 1 }, (_, ago) => ago);
  }

  /** How many days ago the counts are that were read, by person and name. */
  async function read(
    asked: readonly { subject: Subject; dayCounts: readonly EventCountField[] }[],
  ): Promise<Record<string, Record<string, number[]>>> {
    const tx = {
      query: async ({ text }: { text: string }, params: unknown[]) => (await client.query(text, params)).rows,
    };
    const work = asked.map(({ subject, dayCounts }) => ({
      facts: { subject, firstSeenAt: new Date(0).toISOString() },
      generations: dayCounts.map((field) => ({ dayCounts: [field] })),
    }));
    const found = await readDayCounts(work, NOW_MS, tx);
    return Object.fromEntries(
      Array.from(found, ([subject, counts]) => {
        const ago: Record<string, number[]> = {};
        for (const { name, day } of counts)
          ago[name] = [...(ago[name] ?? []), TODAY - day].sort((a, b) => a - b);
        return [subject, ago];
      }),
    );
  }
});
