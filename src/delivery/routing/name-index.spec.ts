import { NameIndex } from './name-index';

describe('the name index', () => {
  it('finds a value once, however many of its names fit', () => {
    const index = new NameIndex<string>();
    index.add(['Order *', '*Completed', 'Order Completed', 'Order Completed'], 'a');
    index.add(['Order C*'], 'b');
    expect(index.find('Order Completed')).toEqual(['a', 'b']);
    expect(index.find('Signed Up')).toEqual([]);
  });

  it('answers the same again, forgets the oldest, and takes in what is added later', () => {
    const index = new NameIndex<number>();
    for (let n = 0; n < 20; n += 1) index.add([`*${n}*`], n);
    for (let name = 0; name < 3_000; name += 1) index.find(`Name ${name}`);
    for (let round = 0; round < 2; round += 1) expect(index.find('Name 19')).toEqual([1, 9, 19]);
    index.add(['Name*'], 20);
    expect(index.find('Name 19')).toEqual([1, 9, 19, 20]);
  });
});
