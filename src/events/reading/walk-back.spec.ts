import { type Stretch, WalkBack } from './walk-back';

const HOUR_MS = 3_600_000;

/** Walks from an hour to 0; each stretch takes as `tookMs` says, undefined is too long. */
function walk(tookMs: (stretch: Stretch) => number | undefined): Stretch[] {
  const seen: Stretch[] = [];
  const back = new WalkBack(0, HOUR_MS);
  while (!back.isOver) {
    const took = tookMs(back.next);
    if (took === undefined) {
      if (!back.lookLess()) throw new Error('as short as can be');
      continue;
    }
    seen.push(back.next);
    back.goOn(took);
  }
  return seen;
}

describe('WalkBack', () => {
  it.each([
    ['quick', () => 1],
    ['slow for its first minutes', ({ fromMs }: Stretch) => (fromMs > 0.9 * HOUR_MS ? 600 : 1)],
    [
      'too much in its second half',
      ({ fromMs, toMs }: Stretch) => (toMs - fromMs > 50 && fromMs < HOUR_MS / 2 ? undefined : 1),
    ],
  ])('comes by every moment once, in order, when it is %s', (_, tookMs) => {
    const seen = walk(tookMs);
    expect(seen[0]?.toMs).toBe(HOUR_MS);
    expect(seen.at(-1)?.fromMs).toBe(0);
    expect(seen.slice(1).map(({ toMs }) => toMs)).toEqual(seen.slice(0, -1).map(({ fromMs }) => fromMs));
  });

  it('looks further and further back where there is little', () => {
    expect(walk(() => 50).length).toBeLessThan(10);
  });

  it('leaps where there is nothing', () => {
    expect(walk(() => 1).length).toBeLessThan(5);
  });

  it('leaps to where something is expected, and looks at little from there on', () => {
    const back = new WalkBack(0, HOUR_MS);
    back.goOn(1);
    const fromMs = back.next.toMs;
    back.leapTo(HOUR_MS / 2);
    const leap = back.next;
    back.goOn(50);
    expect([leap.toMs, HOUR_MS / 2 - leap.fromMs]).toEqual([fromMs, 1_000]);
    expect(back.next).toEqual({ fromMs: leap.fromMs - 4_000, toMs: leap.fromMs });
  });

  it('looks at less than a leap where that is too much', () => {
    const back = new WalkBack(0, HOUR_MS);
    back.leapTo(HOUR_MS / 2);
    const { fromMs, toMs } = back.next;
    expect(back.lookLess()).toBe(true);
    expect(back.next).toEqual({ fromMs: toMs - (toMs - fromMs) / 4, toMs });
  });

  it('gives up what cannot even be looked at for a millisecond', () => {
    expect(() => walk(() => undefined)).toThrow('as short as can be');
  });
});
