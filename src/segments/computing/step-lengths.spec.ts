import { StepLengths } from './step-lengths';

/** The lengths of steps of which each unit takes so long. */
function lengthsAt(msEach: number, first: number, steps: number): number[] {
  const lengths = new StepLengths();
  return Array.from({ length: steps }, () => {
    const length = lengths.lengthOf(1, first);
    lengths.note(1, { length, tookMs: length * msEach }, 2_000);
    return length;
  });
}

describe('StepLengths', () => {
  it.each([
    ['become as long as may be where that is quick', 0.01, 20, [20, 40, 80, 160, 320, 640, 1280, 2000, 2000]],
    ['become shorter at once where they took long', 10, 200, [200, 20, 20]],
    ['are never empty', 1_000, 20, [20, 1, 1]],
    ['are never of nothing that took no time', 0, 20, [20, 40]],
  ])('%s', (_, msEach, first, lengths) => {
    expect(lengthsAt(msEach, first, lengths.length)).toEqual(lengths);
  });

  it('are each of a generation, and not remembered for ever', () => {
    const lengths = new StepLengths();
    lengths.note(1, { length: 100, tookMs: 400 }, 2_000);
    expect([lengths.lengthOf(1, 7), lengths.lengthOf(2, 7)]).toEqual([50, 7]);
    for (let generation = 2; generation <= 101; generation += 1)
      lengths.note(generation, { length: 100, tookMs: 400 }, 2_000);
    expect([lengths.lengthOf(1, 7), lengths.lengthOf(2, 7)]).toEqual([7, 50]);
  });
});
