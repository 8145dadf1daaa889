import { duration, milliseconds } from './duration';

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [0.24, '0.2 s'],
    [45.4, '45 s'],
    [60, '1 min'],
    [7_200, '2 h'],
    [200_000, '2 d'],
  ])('of %d seconds reads as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    [null, '–'],
    [12.4, '12 ms'],
    [1_500, '1.5 s'],
  ])('of %p milliseconds reads as %s', (ms, text) => {
    expect(milliseconds(ms)).toBe(text);
  });
});
