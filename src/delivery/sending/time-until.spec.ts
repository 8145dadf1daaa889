import { timeUntil } from './time-until';

describe('the time until something happens', () => {
  it.each([
    // A probe that its receiver lets hang ends when the next one is due.
    [0, 'now'],
    [40, 'now'],
    [60, 'in 0.1 s'],
    [12_345, 'in 12.3 s'],
  ])('is said of %d ms as "%s"', (ms, said) => {
    expect(timeUntil(ms)).toBe(said);
  });
});
