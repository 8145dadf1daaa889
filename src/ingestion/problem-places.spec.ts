import { ProblemPlaces } from './problem-places';

const MANY = 10_000;

describe('places in events by which problems are counted', () => {
  const made = (member: string): string[] =>
    Array.from({ length: MANY }, (_, n) => `${member}.id-${n}.x[${n}]`);
  const names = (places: ProblemPlaces, paths: readonly string[], sourceId = 's'): Set<string> =>
    new Set(paths.map((path) => places.nameOf(path, sourceId)));

  it('are the same at each place of a list', () => {
    const paths = ['properties.products[0].price', 'properties.products[12].price'];
    expect([...names(new ProblemPlaces(), paths)]).toEqual(['properties.products[].price']);
  });

  it('are few, whatever names clients make up, and those that were known stay', () => {
    const places = new ProblemPlaces();
    expect(places.nameOf('properties.total', 's')).toBe('properties.total');
    const all = names(places, [...made('properties'), ...made('traits'), ...made('x')]);
    expect(all.size).toBeLessThan(300);
    for (const one of ['properties.*', 'traits.*', '*']) expect(all).toContain(one);
    expect(places.nameOf('properties.total', 's')).toBe('properties.total');
  });

  it('are those of each source, and of each hour anew', () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick'] });
    try {
      const places = new ProblemPlaces();
      names(places, made('properties'), 'a');
      expect(places.nameOf('properties.total', 'a')).toBe('properties.*');
      expect(places.nameOf('properties.total', 'b')).toBe('properties.total');
      jest.setSystemTime(3_600_000);
      expect(places.nameOf('properties.total', 'a')).toBe('properties.total');
    } finally {
      jest.useRealTimers();
    }
  });
});
