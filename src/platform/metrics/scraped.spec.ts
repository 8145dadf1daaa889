import { scraped } from './scraped';

describe('scraped', () => {
  it('shares a reading that is under way, and its answer for five seconds', async () => {
    let [readings, now] = [0, 0];
    const read = scraped(
      async () => (readings += 1),
      () => now,
    );
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    now = 4_999;
    expect(await read()).toBe(1);
    now = 5_000;
    expect(await read()).toBe(2);
  });

  it('answers nothing when reading fails', async () => {
    const read = scraped(() => Promise.reject(new Error('down')));
    expect(await read()).toBeUndefined();
  });

  it('answers nothing when reading hangs, and does not start another one', async () => {
    let readings = 0;
    const read = scraped(() => {
      readings += 1;
      return new Promise(() => undefined);
    });
    expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
    expect(readings).toBe(1);
  });
});
