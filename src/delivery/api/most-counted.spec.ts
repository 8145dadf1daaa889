import { mostCounted } from './most-counted';

describe('where counting ends', () => {
  it.each([
    [0, 100_000],
    [1, 100_000],
    [2, 10_000],
    [10, 10_000],
    [11, 1_000],
    [101, 1_000],
  ])('for each of %i destinations is at %i', (destinations, most) => {
    expect(mostCounted(destinations)).toBe(most);
  });
});
