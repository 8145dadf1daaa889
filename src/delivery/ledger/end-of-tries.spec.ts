import { lowestId } from '../../events/partitions/partition-plan';
import { compareClocks } from '../../platform/database/connections/database-clock';
import { endOfTries } from './end-of-tries';

const DAYS_MS = 3 * 86_400_000;

describe('the end of tries', () => {
  afterEach(() => compare(0));

  it("is after now by PostgreSQL's clock for what is pending, as their ids are", async () => {
    await compare(DAYS_MS);
    const tried = lowestId(Date.now() + DAYS_MS);
    expect(endOfTries({ id: tried, state: 'pending', updatedAt: new Date() }) > tried).toBe(true);
  });
});

/** PostgreSQL's clock is so far ahead. */
async function compare(aheadMs: number): Promise<void> {
  await compareClocks({ query: () => Promise.resolve({ rows: [{ now_ms: Date.now() + aheadMs }] }) });
}
