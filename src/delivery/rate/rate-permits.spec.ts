import type { RateLimiter } from './rate-limiter';
import { RatePermits } from './rate-permits';

describe('RatePermits', () => {
  it('uses what it has kept before it asks for more, and throws none of it away', async () => {
    let granted = 0;
    const limiter = {
      takePermits: async (_id: string, _perSecond: number, wanted: number) => {
        granted += wanted;
        return { granted: wanted, waitMs: 0 };
      },
    } as unknown as RateLimiter;
    const permits = new RatePermits('destination', limiter, () => undefined);
    const use = async (wanted: number, used: number): Promise<void> => {
      const taken = await permits.takePermits(wanted, 1_000);
      permits.keepPermits(taken - used, 1_000);
    };
    await use(100, 50);
    await use(10, 9);
    await use(40, 40);
    permits.close();
    // One more than was used is kept.
    expect(granted).toBe(100);
  });

  it('asks for all of them once there is a limit, whatever went unused before', async () => {
    const takePermits = jest.fn(async () => ({ granted: 0, waitMs: 1_000 }));
    const permits = new RatePermits(
      'destination',
      { takePermits } as unknown as RateLimiter,
      () => undefined,
    );
    permits.keepPermits(await permits.takePermits(100, undefined), undefined);
    expect(await permits.takePermits(10, 5)).toBe(0);
    expect(takePermits).toHaveBeenCalledWith('destination', 5, 10);
    permits.close();
  });
});
