import { counted } from './counted';

describe('a number that is counted to some most', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, `${(1_000).toLocaleString()} or more`],
  ])('is said as what it is known to be: %d', (count, words) => {
    expect(counted(count, 1_000)).toBe(words);
  });
});
