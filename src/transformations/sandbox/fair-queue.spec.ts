import { FairQueue } from './fair-queue';

/** Works through what waits; each item of a line takes as long as the line says. */
function order(queue: FairQueue<string>, msOf: Record<string, number>): string {
  let taken = '';
  for (let items = queue.next(); items.length > 0; items = queue.next()) {
    const [item = ''] = items;
    taken += items.join('');
    queue.used(item, (msOf[item] ?? 1) * items.length, items.length);
  }
  return taken;
}

describe('a fair queue', () => {
  it('goes on with who has used least, so that a slow one keeps nobody waiting', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 3; count += 1) queue.add('s', 's');
    for (let count = 0; count < 6; count += 1) queue.add('a', 'a');
    expect(order(queue, { s: 100, a: 10 })).toBe('saaaaaass');
  });

  it('has who was away begin where the others are: time without items is no credit', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 3; count += 1) queue.add('a', 'a');
    expect(order(queue, { a: 10 })).toBe('aaa');
    queue.add('b', 'b');
    queue.add('b', 'b');
    queue.add('a', 'a');
    queue.add('a', 'a');
    expect(order(queue, { a: 10, b: 10 })).toMatch(/^b(ba|ab)/);
  });

  it('charges who has one item at a time, though others go on meanwhile', () => {
    const queue = new FairQueue<string>(() => true);
    for (const item of ['slow', 'tardy', 'unhurried', ...Array.from('1234', () => 'quick')])
      queue.add(item, item);
    // Two threads, and of the slow ones the next item is there once the last is done.
    const taken = [...queue.next(), ...queue.next()];
    for (let run = 0; run < 6; run += 1) {
      const ended = taken[run] ?? '';
      queue.used(ended, ended === 'quick' ? 1 : 100, 1);
      if (ended !== 'quick') queue.add(ended, ended);
      taken.push(...queue.next());
    }
    expect(taken).toEqual([
      'slow',
      'tardy',
      'unhurried',
      ...Array.from('1234', () => 'quick'),
      expect.any(String),
    ]);
  });

  it('takes several items where the last were quick, sixteen at most, and one where they were not', () => {
    const queue = new FairQueue<string>();
    const next = (ms: number): number => {
      for (let count = 0; count < 100; count += 1) queue.add('a', 'a');
      const { length } = queue.next();
      queue.used('a', ms * length, length);
      return length;
    };
    expect([1, 0.1, 5, 6, 0.1].map(next)).toEqual([1, 5, 16, 1, 1]);
    expect(next(0.1)).toBe(16);
  });

  it('takes one item where it goes alone', () => {
    const queue = new FairQueue<string>((item) => item === item.toUpperCase());
    for (const item of 'abCDef') queue.add('key', item);
    const taken = Array.from('12345', () => {
      const items = queue.next();
      queue.used('key', 0.1, items.length);
      return items.join('');
    });
    expect(taken).toEqual(['a', 'b', 'C', 'D', 'ef']);
  });
});
