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

  it('gives up what cannot even be looked at for a millisecond', () => {
    expect(() => walk(() => undefined)).toThrow('as short as can be');
  });
});
