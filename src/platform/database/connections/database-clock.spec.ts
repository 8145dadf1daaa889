import { compareClocks, databaseNowMs } from './database-clock';

const NOW_MS = Date.UTC(2026, 10, 20);

describe('the clock of PostgreSQL', () => {
  let clock: jest.SpiedFunction<typeof Date.now>;
  beforeEach(() => {
    clock = jest.spyOn(Date, 'now').mockReturnValue(NOW_MS);
  });
  afterEach(async () => {
    await compare({ aheadMs: 0, toMs: 0, backMs: 0 });
    clock.mockRestore();
  });

  /** Asks a clock that is ahead by so much; question and answer are so long on their way. */
  async function compare(way: { aheadMs: number; toMs: number; backMs: number }): Promise<number> {
    const { aheadMs, toMs, backMs } = way;
    clock.mockReturnValue(NOW_MS);
    const query = (): Promise<{ rows: { now_ms: number }[] }> => {
      clock.mockReturnValue(NOW_MS + toMs + backMs);
      return Promise.resolve({ rows: [{ now_ms: NOW_MS + toMs + aheadMs + 0.4 }] });
    };
    await compareClocks({ query });
    return databaseNowMs() - Date.now();
  }

  it.each([
    { toMs: 0, backMs: 0 },
    { toMs: 3_000, backMs: 1 },
    { toMs: 1, backMs: 9_000 },
  ])('is the same as that of the process when it is, whatever takes time: %j', async (way) => {
    expect(await compare({ aheadMs: 0, ...way })).toBe(0);
  });

  it.each([-70_000, 40, 7_200_000])('is ahead by as much as it is: %i ms', async (aheadMs) => {
    expect(await compare({ aheadMs, toMs: 0, backMs: 0 })).toBe(aheadMs);
    // One that says less takes nothing of it away.
    expect(await compare({ aheadMs, toMs: 500, backMs: 2_000 })).toBe(aheadMs);
  });

  it('is not known better than question and answer are apart', async () => {
    const ahead = await compare({ aheadMs: 60_000, toMs: 1_000, backMs: 200 });
    expect(ahead).toBeGreaterThanOrEqual(59_800);
    expect(ahead).toBeLessThanOrEqual(61_000);
  });
});
