import * as fc from 'fast-check';
import { editsBetween } from './closest-name';

/** The whole table. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const replaced = row[to - 1]! + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}

describe('editsBetween', () => {
  it('is the distance of two names up to two edits, and more than two beyond', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(name, name, (left, right) => {
        expect(editsBetween(left, right)).toBe(Math.min(distance(left, right), 3));
      }),
      { numRuns: 2_000 },
    );
  });

  it('looks at a name no further than where it is surely another one', () => {
    const looked = new Set<string>();
    const long = new Proxy(Object('x'.repeat(1_000)), {
      get(name: string, key: string): unknown {
        looked.add(key);
        return Reflect.get(Object(name), key);
      },
    }) as string;
    expect(editsBetween(long, 'y'.repeat(1_000))).toBe(3);
    expect(looked.size).toBeLessThan(10);
  });
});
