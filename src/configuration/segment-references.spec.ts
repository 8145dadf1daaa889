import { orderByReferences } from './segment-references';

const asking = (name: string, ...asked: string[]): { name: string; rules: object[] } => ({
  name,
  rules: asked.map((value) => ({ field: 'segments', operator: 'contains', value })),
});

describe('orderByReferences', () => {
  it('puts each after those that it asks about, whatever else they ask about', () => {
    const segments = [asking('d', 'b', 'c', 'b'), asking('b', 'a', 'gone'), asking('c', 'a'), asking('a')];
    expect(orderByReferences(segments)).toEqual({ order: ['a', 'b', 'c', 'd'], circular: [] });
  });

  it('tells circles, and who asks about them', () => {
    const segments = [
      asking('asks', 'b'),
      asking('a', 'b'),
      asking('b', 'a'),
      asking('self', 'self'),
      asking('free'),
    ];
    expect(orderByReferences(segments)).toEqual({ order: ['free'], circular: ['asks', 'a', 'b', 'self'] });
  });

  it('goes through a chain once, however long it is', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => asking(`${n}`, `${n + 1}`));
    expect(orderByReferences(chain).order.slice(0, 2)).toEqual(['49999', '49998']);
  });
});
