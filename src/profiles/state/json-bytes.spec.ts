import { entryBytes, jsonBytes } from './json-bytes';

describe('jsonBytes', () => {
  it.each([
    ['{"a":"é"}', 10],
    ['"1e+300"', 8],
    ['"\\"1e+300"', 10],
  ])('of %s are those of its text', (json, bytes) => {
    expect(jsonBytes(json)).toBe(bytes);
  });

  it.each([1e300, 1.5e-300, -1e21])('of %d are no less than its digits', (value) => {
    const digits = value === 1.5e-300 ? 303 : Math.floor(Math.log10(Math.abs(value)));
    expect(jsonBytes(JSON.stringify(value))).toBeGreaterThanOrEqual(digits);
  });

  it('counts nothing for what is unset', () => {
    expect([entryBytes('a', null), entryBytes('a', undefined), entryBytes('a', 1)]).toEqual([0, 0, 6]);
  });
});
