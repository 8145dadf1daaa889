import { assert, double, integer, property } from 'fast-check';
import { waitAfterTry } from './retry-policy';

const schedule = { firstWaitMs: 2_000, maxWaitMs: 21_600_000 };

describe('waitAfterTry', () => {
  it('grows fourfold from try to try, up to the cap', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => waitAfterTry(attempt, schedule, 0.5));
    expect(waits).toEqual([
      2_000, 8_000, 32_000, 128_000, 512_000, 2_048_000, 8_192_000, 21_600_000, 21_600_000,
    ]);
  });

  it('stays within a quarter of its step, whatever the number of the try', () => {
    assert(
      property(integer({ min: 1, max: 100 }), double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const step = waitAfterTry(attempt, schedule, 0.5);
        const wait = waitAfterTry(attempt, schedule, random);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.75));
        expect(wait).toBeLessThanOrEqual(Math.ceil(step * 1.25));
      }),
    );
  });

  it('waits as long as the receiver asked for, and not less than the schedule says', () => {
    expect(waitAfterTry(1, schedule, 0.5, 60_000)).toBe(60_000);
    expect(waitAfterTry(5, schedule, 0.5, 60_000)).toBe(512_000);
  });
});
