import { GatheredKinds } from './gathered-kinds';

interface Count {
  readonly name: string;
  count: number;
}

describe('GatheredKinds', () => {
  const written: (readonly Count[])[] = [];
  const lost: unknown[] = [];
  let isAway = false;
  let counts: GatheredKinds<Count>;

  beforeEach(() => {
    jest.useFakeTimers();
    written.length = 0;
    lost.length = 0;
    isAway = false;
    counts = new GatheredKinds({
      everyMs: 500,
      maxKinds: 2,
      write: async (kinds) => {
        if (isAway) throw new Error('away');
        written.push(kinds);
      },
      report: (error) => lost.push(error),
    });
    counts.start();
  });
  afterEach(() => jest.useRealTimers());

  const count = (name: string): void => {
    const kind = counts.find(name, () => ({ name, count: 0 }));
    if (kind !== undefined) kind.count += 1;
  };

  it('writes what came since the last time, by kind', async () => {
    for (const name of ['a', 'b', 'a']) count(name);
    await jest.advanceTimersByTimeAsync(500);
    count('a');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([
      [
        { name: 'a', count: 2 },
        { name: 'b', count: 1 },
      ],
      [{ name: 'a', count: 1 }],
    ]);
  });

  it('gathers no more kinds than it may, until they are written', async () => {
    for (const name of ['a', 'b', 'c', 'a']) count(name);
    await jest.advanceTimersByTimeAsync(500);
    count('c');
    await counts.stop();
    expect(written.map((kinds) => kinds.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
  });

  it('loses what could not be written, says so, and goes on', async () => {
    isAway = true;
    count('a');
    await jest.advanceTimersByTimeAsync(500);
    expect(lost).toEqual([new Error('away')]);
    isAway = false;
    count('b');
    await jest.advanceTimersByTimeAsync(500);
    expect(written).toEqual([[{ name: 'b', count: 1 }]]);
  });

  it('writes what is left when it stops, and stops without that if need be', async () => {
    count('a');
    await counts.stop();
    expect(written).toHaveLength(1);
    isAway = true;
    count('b');
    await counts.stop();
    expect(lost).toEqual([]);
  });
});
