import { PresenceWatch } from './presence-watch';

/** A watch that looks every second; `counts` says what each worker has counted to by then. */
function watchFor(
  seconds: number,
  counts: (second: number) => Record<number, number>,
  start = 0,
): PresenceWatch {
  const watch = new PresenceWatch();
  for (let second = 0; second <= seconds; second += 1) {
    const entries = Object.entries(counts(second)).map(([id, beats]) => [Number(id), `${beats}`] as const);
    watch.look(new Map(entries), start + second * 1_000);
  }
  return watch;
}

describe('PresenceWatch', () => {
  it('sees nothing wrong with workers that count', () => {
    const watch = watchFor(60, (second) => ({ 1: second, 2: Math.floor(second / 2) }));
    expect([watch.isAlarmed, watch.lost]).toEqual([false, []]);
  });

  it.each([
    [1, false, []],
    [2, true, []],
    [4, true, []],
    [5, true, [2]],
  ])(
    'when a worker is silent for %d s, is alarmed: %j, and says that %j are gone',
    (silent, alarmed, lost) => {
      const watch = watchFor(10 + silent, (second) => ({ 1: second, 2: Math.min(second, 10) }));
      expect([watch.isAlarmed, watch.lost]).toEqual([alarmed, lost]);
    },
  );

  it('is alarmed until it has watched for long enough to know', () => {
    expect(watchFor(4, (second) => ({ 1: second })).isAlarmed).toBe(true);
    expect(watchFor(5, (second) => ({ 1: second })).isAlarmed).toBe(false);
  });

  it('takes a worker back that counts again', () => {
    const watch = watchFor(30, (second) => ({ 1: second < 10 || second > 25 ? second : 10 }));
    expect([watch.isAlarmed, watch.lost]).toEqual([false, []]);
  });

  it('forgets a worker that said good-bye', () => {
    const watch = watchFor(30, (second): Record<number, number> => (second < 10 ? { 1: 1 } : {}));
    expect(watch.lost).toEqual([]);
  });

  it('takes nobody for gone because nobody could look or count for a while', () => {
    const watch = watchFor(5, (second) => ({ 1: second, 2: second }));
    const before = new Map([
      [1, '5'],
      [2, '5'],
    ]);
    watch.look(before, 65_000);
    expect(watch.lost).toEqual([]);
    watch.look(new Map([...before.keys()].map((id) => [id, '6'])), 66_000);
    expect([watch.isAlarmed, watch.lost]).toEqual([false, []]);
  });
});
