import { jobsFor } from './hand-over';

const rows = (...sizes: number[]) => sizes.map((events, n) => ({ inboxId: `row-${n}`, events }));

describe('jobs of inbox rows', () => {
  it('take small rows together', () => {
    expect(jobsFor(rows(1, 2, 3))).toEqual([
      { id: 'row-0', name: '6 events', data: { inboxIds: ['row-0', 'row-1', 'row-2'] } },
    ]);
  });

  it('begin anew when there are events enough', () => {
    expect(jobsFor(rows(1000, 200, 49, 1, 1)).map(({ data }) => data.inboxIds)).toEqual([
      ['row-0'],
      ['row-1', 'row-2', 'row-3'],
      ['row-4'],
    ]);
  });

  it('are none without rows', () => {
    expect(jobsFor([])).toEqual([]);
  });
});
