import { TurnsByTime } from './turns-by-time';

/** Works through what waits; each item of a line takes as long as the line says. */
function order(turns: TurnsByTime<string>, msOf: Record<string, number>): string {
  let taken = '';
  for (let item = turns.next(); item !== undefined; item = turns.next()) {
    taken += item;
    turns.used(item, msOf[item] ?? 1);
  }
  return taken;
}

describe('turns by time', () => {
  it('go to whoever has used least, so that a slow one holds nobody up', () => {
    const turns = new TurnsByTime<string>();
    for (let count = 0; count < 3; count += 1) turns.add('s', 's');
    for (let count = 0; count < 6; count += 1) turns.add('a', 'a');
    expect(order(turns, { s: 100, a: 1 })).toBe('saaaaaass');
  });

  it('begin anew for whoever was away: time without items is no credit', () => {
    const turns = new TurnsByTime<string>();
    for (let count = 0; count < 3; count += 1) turns.add('a', 'a');
    expect(order(turns, { a: 10 })).toBe('aaa');
    turns.add('b', 'b');
    turns.add('b', 'b');
    turns.add('a', 'a');
    turns.add('a', 'a');
    expect(order(turns, { a: 1, b: 1 })).toMatch(/^b(ba|ab)/);
  });
});
