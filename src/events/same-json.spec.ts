import { array, assert, constantFrom, dictionary, jsonValue, oneof, property } from 'fast-check';
import { canonicalJson, sameJson } from './same-json';

const value = jsonValue({ maxDepth: 3 });
/** Small, so that two of them are often the same. */
const small = oneof(
  constantFrom(0, -0, 1, '', '0', null, true),
  array(constantFrom(0, -0, 'a', null), { maxLength: 2 }),
  dictionary(constantFrom('a', 'b', '__proto__'), constantFrom(0, -0, null), { maxKeys: 2 }),
);

describe('sameJson', () => {
  it('takes no notice of the order of members, nor of the sign of 0', () => {
    expect(sameJson({ a: 1, b: [-0] }, { b: [0], a: 1 })).toBe(true);
  });

  it('is true of what is the same once it was written and read', () => {
    assert(
      property(value, (one) => {
        expect(sameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true);
      }),
    );
  });

  it('is true of two values just where they have the same canonical text', () => {
    assert(
      property(oneof(value, small), oneof(value, small), (one, other) => {
        expect(sameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      }),
      { numRuns: 2_000 },
    );
  });
});
