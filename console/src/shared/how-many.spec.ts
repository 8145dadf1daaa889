import { howMany } from './how-many';

describe('how many there are', () => {
  it.each([
    [0, '0 deliveries'],
    [1, '1 delivery'],
    [2, '2 deliveries'],
    [1_200, `${(1_200).toLocaleString()} deliveries`],
  ])('is said with the noun for %d', (count, words) => {
    expect(howMany(count, 'delivery', 'deliveries')).toBe(words);
  });

  it('needs no plural of a noun that takes an s', () => {
    expect([howMany(1, 'event'), howMany(2, 'event')]).toEqual(['1 event', '2 events']);
  });
});
