import { heightsOf } from './heights-of';

describe('the parts of a stacked bar', () => {
  it('lie on each other, and fill the bar together', () => {
    expect(heightsOf([2, 0, 3], 20)).toEqual([
      { y: 0, height: 40 },
      { y: 40, height: 0 },
      { y: 40, height: 60 },
    ]);
  });
});
