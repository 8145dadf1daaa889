import { counted, countedIn } from './counted';

describe('a number that is counted to some most', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, `${(1_000).toLocaleString()} or more`],
  ])('is said as what it is known to be: %d', (count, words) => {
    expect(counted(count, 1_000)).toBe(words);
  });
});

describe('what a list has', () => {
  it('is at least what it shows', () => {
    expect([countedIn([1, 2], false), countedIn([1, 2], true)]).toEqual(['2', '2 or more']);
  });
});
