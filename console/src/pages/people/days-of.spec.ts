import { daysOf } from './days-of';

describe('daysOf', () => {
  it('groups by the days of the clock here, in the order given', () => {
    const at = (day: number, hour: number): { timestamp: string } => ({
      timestamp: new Date(2026, 10, day, hour).toISOString(),
    });
    const days = daysOf([at(22, 23), at(22, 0), at(21, 23), at(1, 12)]);
    expect(days.map(({ happened }) => happened)).toEqual([
      [at(22, 23), at(22, 0)],
      [at(21, 23)],
      [at(1, 12)],
    ]);
    expect(new Set(days.map(({ day }) => day)).size).toBe(3);
  });
});
