import * as fc from 'fast-check';
import { mergeTraits, setTraits, traitBytes, UNLIMITED, type WrittenTrait } from './merge-traits';

type Write = readonly [string, WrittenTrait];

const key = fc.constantFrom('plan', 'city', '__proto__', 'toString', '7');
const value = fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 1 }));

/** Each with a clock of its own, as two events have. */
const writes: fc.Arbitrary<Write[]> = fc
  .array(fc.tuple(key, value), { maxLength: 20 })
  .chain((pairs) =>
    fc.tuple(fc.constant(pairs), fc.shuffledSubarray([...pairs.keys()], { minLength: pairs.length })),
  )
  .map(([pairs, clocks]) =>
    pairs.map(([name, given], index) => {
      const clock = String(clocks[index]).padStart(3, '0');
      return [name, { value: JSON.parse(JSON.stringify(given)) as WrittenTrait['value'], clock }];
    }),
  );

const merged = (all: readonly Write[], limits = UNLIMITED, traits = new Map<string, WrittenTrait>()) => {
  for (const one of all) mergeTraits(traits, [one], limits);
  return traits;
};

describe('mergeTraits', () => {
  it('keeps the latest write of each key, whatever the order and however the writes are bundled', () => {
    fc.assert(
      fc.property(writes, fc.integer({ min: 0, max: 20 }), (all, cut) => {
        const latest = new Map<string, WrittenTrait>();
        const byClock = [...all].sort(([, a], [, b]) => (a.clock < b.clock ? -1 : 1));
        for (const [name, trait] of byClock) latest.set(name, trait);
        expect(merged(all)).toEqual(latest);
        expect(merged(all.toReversed())).toEqual(latest);
        const halves = merged(all.slice(cut));
        mergeTraits(halves, merged(all.slice(0, cut)), UNLIMITED);
        expect(halves).toEqual(latest);
      }),
    );
  });

  it('changes nothing when the same writes come again', () => {
    fc.assert(
      fc.property(writes, (all) => {
        const limits = { maxTraitBytes: 60, maxTraitKeys: 3 };
        const first = merged(all);
        const again = merged(all, UNLIMITED, new Map(first));
        expect(again).toEqual(first);
        const bounded = merged(all, limits);
        mergeTraits(bounded, [...bounded], limits);
        expect(merged([...bounded], limits)).toEqual(bounded);
      }),
    );
  });

  it('goes beyond no limit, and loses no key that was there', () => {
    const limits = fc.record({
      maxTraitBytes: fc.integer({ min: 2, max: 80 }),
      maxTraitKeys: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(writes, writes, limits, (before, all, bounds) => {
        const traits = merged(before, bounds);
        const keys = [...traits.keys()];
        mergeTraits(traits, merged(all), bounds);
        expect(traits.size).toBeLessThanOrEqual(bounds.maxTraitKeys);
        expect(traitBytes(traits)).toBeLessThanOrEqual(bounds.maxTraitBytes);
        expect([...traits.keys()]).toEqual(expect.arrayContaining(keys));
      }),
    );
  });

  it('takes no more names than traits may have bytes, unset or not', () => {
    const traits = new Map<string, WrittenTrait>();
    const bounds = { maxTraitBytes: 1_000, maxTraitKeys: 100 };
    const name = (n: number): string => `${n}-${'é'.repeat(100)}`;
    for (let n = 0; n < 50; n += 1) {
      mergeTraits(traits, [[name(n), { value: 1, clock: `${n}a` }]], bounds);
      mergeTraits(traits, [[name(n), { value: null, clock: `${n}b` }]], bounds);
    }
    mergeTraits(traits, [[name(99), { value: null, clock: '1' }]], bounds);
    expect([...traits.keys()]).toEqual([0, 1, 2, 3].map(name));
    mergeTraits(traits, [[name(2), { value: 'again', clock: '99' }]], bounds);
    expect(setTraits(traits)).toEqual({ [name(2)]: 'again' });
  });

  it('lets traits that are above a limit change and shrink, not grow', () => {
    const traits = merged([
      ['long', { value: 'x'.repeat(50), clock: '1' }],
      ['flag', { value: true, clock: '1' }],
    ]);
    const bounds = { maxTraitBytes: 20, maxTraitKeys: 1 };
    mergeTraits(traits, [['flag', { value: 'true, and more', clock: '2' }]], bounds);
    expect(setTraits(traits)).toMatchObject({ flag: true });
    mergeTraits(traits, [['long', { value: 'y'.repeat(50), clock: '2' }]], bounds);
    mergeTraits(traits, [['flag', { value: null, clock: '2' }]], bounds);
    expect(setTraits(traits)).toEqual({ long: 'y'.repeat(50) });
  });
});
