import { assert, double, integer, property } from 'fast-check';
import { Config } from '../../platform/config/config';
import { backoffFrom, isStepOf, jittered, waitAfterTry } from './retry-policy';

const schedule = { firstWaitMs: 2_000, maxWaitMs: 21_600_000 };

describe('waitAfterTry', () => {
  it('doubles from try to try, up to the cap', () => {
    const waits = [1, 2, 3, 4, 5, 10, 14, 15, 16].map((attempt) => waitAfterTry(attempt, schedule));
    expect(waits.map(({ waitMs }) => waitMs)).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 1_024_000, 16_384_000, 21_600_000, 21_600_000,
    ]);
    expect(waits.map(({ isMoved }) => isMoved)).toEqual([...Array(7).fill(false), true, true]);
  });

  it('stays within a quarter of its step, whatever the number of the try', () => {
    assert(
      property(integer({ min: 1, max: 100 }), double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const { stepMs } = waitAfterTry(attempt, schedule);
        const wait = jittered(stepMs, random);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(stepMs * 0.75));
        expect(wait).toBeLessThanOrEqual(stepMs);
      }),
    );
  });

  it('waits as long as the receiver asked for, and not less than the schedule says', () => {
    expect(waitAfterTry(1, schedule, 60_000)).toEqual({ waitMs: 60_000, stepMs: 2_000, isMoved: true });
    expect(waitAfterTry(6, schedule, 60_000)).toEqual({ waitMs: 64_000, stepMs: 64_000, isMoved: true });
    expect(waitAfterTry(6, schedule, 48_000)).toEqual({ waitMs: 64_000, stepMs: 64_000, isMoved: false });
    expect(waitAfterTry(1, schedule, 48 * 3600_000).waitMs).toBe(24 * 3600_000);
  });

  it('is what BullMQ waits for after failures that it has seen all of', () => {
    const backoff = backoffFrom(waitAfterTry(3, schedule));
    for (let failures = 0; failures < 8; failures += 1) {
      expect(isStepOf(backoff, failures, waitAfterTry(4 + failures, schedule))).toBe(true);
      // One try more, whose time the receiver named.
      expect(isStepOf(backoff, failures, waitAfterTry(5 + failures, schedule))).toBe(false);
    }
    for (const other of [undefined, 5_000, { type: 'custom' }, { type: 'fixed', delay: 16_000 }]) {
      expect(isStepOf(other, 0, waitAfterTry(4, schedule))).toBe(false);
    }
  });

  it('tries for at least a day with the defaults, however chance has it', () => {
    const { CDP_DELIVERY_MAX_ATTEMPTS, CDP_DELIVERY_BACKOFF_MS, CDP_DELIVERY_BACKOFF_CAP_MS } = Config.from({
      NODE_ENV: 'test',
    }).env;
    const defaults = { firstWaitMs: CDP_DELIVERY_BACKOFF_MS, maxWaitMs: CDP_DELIVERY_BACKOFF_CAP_MS };
    let shortestMs = 0;
    for (let attempt = 1; attempt < CDP_DELIVERY_MAX_ATTEMPTS; attempt += 1) {
      shortestMs += jittered(waitAfterTry(attempt, defaults).stepMs, 0);
    }
    expect(shortestMs).toBeGreaterThanOrEqual(24 * 3600_000);
  });
});
