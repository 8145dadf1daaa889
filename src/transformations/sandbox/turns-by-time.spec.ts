import { TurnsByTime } from './turns-by-time';

/** Works through what waits; each item of a line takes as long as the line says. */
function order(turns: TurnsByTime<string>, msOf: Record<string, number>): string {
  let taken = '';
  for (let items = turns.next(); items.length > 0; items = turns.next()) {
    const [item = ''] = items;
    taken += items.join('');
    turns.used(item, (msOf[item] ?? 1) * items.length, items.length);
  }
  return taken;
}

describe('turns by time', () => {
  it('go to whoever has used least, so that a slow one holds nobody up', () => {
    const turns = new TurnsByTime<string>();
    for (let count = 0; count < 3; count += 1) turns.add('s', 's');
    for (let count = 0; count < 6; count += 1) turns.add('a', 'a');
    expect(order(turns, { s: 100, a: 10 })).toBe('saaaaaass');
  });

  it('begin anew for whoever was away: time without items is no credit', () => {
    const turns = new TurnsByTime<string>();
    for (let count = 0; count < 3; count += 1) turns.add('a', 'a');
    expect(order(turns, { a: 10 })).toBe('aaa');
    turns.add('b', 'b');
    turns.add('b', 'b');
    turns.add('a', 'a');
    turns.add('a', 'a');
    expect(order(turns, { a: 10, b: 10 })).toMatch(/^b(ba|ab)/);
  });

  it('are charged to who has one item at a time, though others have their turns meanwhile', () => {
    const turns = new TurnsByTime<string>(() => true);
    for (const item of ['slow', 'tardy', 'unhurried', ...Array.from('1234', () => 'quick')])
      turns.add(item, item);
    // Two places, and of the slow ones the next item is there once the last is done.
    const taken = [...turns.next(), ...turns.next()];
    for (let turn = 0; turn < 6; turn += 1) {
      const ended = taken[turn] ?? '';
      turns.used(ended, ended === 'quick' ? 1 : 100, 1);
      if (ended !== 'quick') turns.add(ended, ended);
      taken.push(...turns.next());
    }
    expect(taken).toEqual([
      'slow',
      'tardy',
      'unhurried',
      ...Array.from('1234', () => 'quick'),
      expect.any(String),
    ]);
  });

  it('are of several items where the last were quick, of sixteen at most, and of one where they were not', () => {
    const turns = new TurnsByTime<string>();
    const next = (ms: number): number => {
      for (let count = 0; count < 100; count += 1) turns.add('a', 'a');
      const { length } = turns.next();
      turns.used('a', ms * length, length);
      return length;
    };
    expect([1, 0.1, 5, 6, 0.1].map(next)).toEqual([1, 5, 16, 1, 1]);
    expect(next(0.1)).toBe(16);
  });

  it('are of one item where it goes alone', () => {
    const turns = new TurnsByTime<string>((item) => item === item.toUpperCase());
    for (const item of 'abCDef') turns.add('key', item);
    const taken = Array.from('12345', () => {
      const items = turns.next();
      turns.used('key', 0.1, items.length);
      return items.join('');
    });
    expect(taken).toEqual(['a', 'b', 'C', 'D', 'ef']);
  });
});
