import { FairShare } from './fair-share';

/** Takes all that it may; answers how much that is. */
function takeAll(shared: FairShare): number {
  const taken = shared.share;
  shared.addHeld(taken);
  return taken;
}

describe('FairShare', () => {
  it('gives a part of what is free to each, so that something is left for the next', () => {
    const shared = new FairShare(800, 1);
    expect([takeAll(shared), takeAll(shared), takeAll(shared)]).toEqual([100, 87.5, 76.5625]);
  });

  it('gives the least to each when nothing is left, and no more', () => {
    const shared = new FairShare(800, 1);
    const taken = Array.from({ length: 1_000 }, () => takeAll(shared));
    expect(Math.min(...taken)).toBe(1);
    expect(taken.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(800 + 1_000);
  });

  it('gives more again when some is given back', () => {
    const shared = new FairShare(800, 1);
    shared.addHeld(800);
    expect(shared.share).toBe(1);
    shared.addHeld(-400);
    expect(shared.share).toBe(50);
  });
});
