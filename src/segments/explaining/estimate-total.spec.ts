import { estimateTotal } from './estimate-total';

describe('estimateTotal', () => {
  it('has no error where all was looked at', () => {
    expect(estimateTotal([1, 5, 0, 2], 4)).toEqual({ count: 8, low: 8, high: 8 });
  });

  it('says how many there may be where none was found', () => {
    expect(
      estimateTotal(
        Array.from({ length: 100 }, () => 0),
        1_100,
      ),
    ).toEqual({ count: 0, low: 0, high: 30 });
  });

  it('is never below what was found', () => {
    expect(estimateTotal([9, 0, 0], 4).low).toBe(9);
  });

  it('says of one cluster alone little', () => {
    expect(estimateTotal([3], 100)).toEqual({ count: 300, low: 3, high: expect.any(Number) });
    expect(estimateTotal([], 100)).toEqual({ count: 0, low: 0, high: 300 });
  });

  it.each([
    ['spread evenly', 300, 0.5, 1, 3],
    ['spread rarely', 300, 0.004, 1, 3],
    ['in nearly all clusters alike', 100, 0.99, 900, 960],
    ['in clusters of very few', 300, 0.02, 900, 960],
  ])(
    'has the number between its bounds in nearly all cases, of what is %s',
    (_, clusters, share, least, most) => {
      const all = 3_000;
      const random = aRandom();
      const rounds = 200;
      let missed = 0;
      for (let round = 0; round < rounds; round += 1) {
        const there = Array.from({ length: all }, () =>
          random() < share ? least + Math.floor(random() * (most - least + 1)) : 0,
        );
        const total = there.reduce<number>((sum, each) => sum + each, 0);
        const seen = Array.from(
          { length: clusters },
          () => there.splice(Math.floor(random() * there.length), 1)[0] ?? 0,
        );
        const { low, high } = estimateTotal(seen, all);
        if (total < low || total > high) missed += 1;
      }
      expect(missed / rounds).toBeLessThan(0.15);
    },
  );
});

/** The same numbers in each run: mulberry32. */
function aRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
