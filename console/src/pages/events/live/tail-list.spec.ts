import { addTailed, EMPTY_TAIL, MAX_SHOWN, pauseTail, resumeTail, type Tailed } from './tail-list';

const events = (from: number, count: number): Tailed[] =>
  Array.from({ length: count }, (_, n) => ({ outcome: 'accepted', event: { id: `${from + n}` } }) as Tailed);
const ids = (tailed: readonly Tailed[]): string[] => tailed.map(({ event }) => event.id);

describe('the list of the tail', () => {
  it('has the newest first, and counts what was left out', () => {
    const list = addTailed(addTailed(EMPTY_TAIL, events(1, 2), 0), events(3, 2), 7);
    expect(ids(list.shown)).toEqual(['4', '3', '2', '1']);
    expect(list.leftOut).toBe(7);
  });

  it('is bounded; what was shown once is not left out', () => {
    const full = addTailed(EMPTY_TAIL, events(0, MAX_SHOWN), 0);
    const list = addTailed(full, events(MAX_SHOWN, 3), 0);
    expect(list.shown).toHaveLength(MAX_SHOWN);
    expect(ids(list.shown)[0]).toBe(`${MAX_SHOWN + 2}`);
    expect(list.leftOut).toBe(0);
    expect(addTailed(EMPTY_TAIL, events(0, MAX_SHOWN + 2), 0)).toMatchObject({
      leftOut: 0,
      notKept: 2,
    });
  });

  it('has an event once that a new connection tells of again', () => {
    const list = addTailed(EMPTY_TAIL, [...events(1, 2), ...events(2, 1)], 0);
    expect(ids(addTailed(list, events(2, 2), 0).shown)).toEqual(['3', '2', '1']);
    const paused = addTailed(pauseTail(list), events(2, 2), 0);
    expect(ids(addTailed(paused, events(3, 2), 0).waiting)).toEqual(['4', '3']);
  });

  it('stands still while it is paused, and then shows what came, as far as that was kept', () => {
    const paused = pauseTail(addTailed(EMPTY_TAIL, events(1, 1), 0));
    const more = addTailed(addTailed(paused, events(2, 1), 0), events(3, 1), 1);
    expect(ids(more.shown)).toEqual(['1']);
    expect(ids(resumeTail(more).shown)).toEqual(['3', '2', '1']);
    expect(resumeTail(more)).toMatchObject({ waiting: [], isPaused: false, leftOut: 1 });
    const tooMany = addTailed(paused, events(0, MAX_SHOWN + 5), 0);
    expect(tooMany.waiting).toHaveLength(MAX_SHOWN);
    expect(tooMany).toMatchObject({ leftOut: 0, notKept: 4 });
  });
});
