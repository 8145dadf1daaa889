import { BoundedPaths } from './bounded-paths';

const MANY = 10_000;

describe('paths in events by which problems are counted', () => {
  const made = (member: string): string[] =>
    Array.from({ length: MANY }, (_, n) => `${member}.id-${n}.x[${n}]`);
  const names = (named: BoundedPaths, paths: readonly string[], sourceId = 's'): Set<string> =>
    new Set(paths.map((path) => named.nameOf(path, sourceId)));

  it('are the same at each place of a list', () => {
    const paths = ['properties.products[0].price', 'properties.products[12].price'];
    expect([...names(new BoundedPaths(), paths)]).toEqual(['properties.products[].price']);
  });

  it('are few, whatever names clients make up, and those that were known stay', () => {
    const named = new BoundedPaths();
    expect(named.nameOf('properties.total', 's')).toBe('properties.total');
    const all = names(named, [...made('properties'), ...made('traits'), ...made('x')]);
    expect(all.size).toBeLessThan(300);
    for (const one of ['properties.*', 'traits.*', '*']) expect(all).toContain(one);
    expect(named.nameOf('properties.total', 's')).toBe('properties.total');
  });

  it('are those of each source, and of each hour anew', () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick'] });
    try {
      const named = new BoundedPaths();
      names(named, made('properties'), 'a');
      expect(named.nameOf('properties.total', 'a')).toBe('properties.*');
      expect(named.nameOf('properties.total', 'b')).toBe('properties.total');
      jest.setSystemTime(3_600_000);
      expect(named.nameOf('properties.total', 'a')).toBe('properties.total');
    } finally {
      jest.useRealTimers();
    }
  });
});
