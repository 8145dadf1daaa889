import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually';
import { BackgroundLoop } from './background-loop';

describe('BackgroundLoop', () => {
  /** How to end each round that has begun: well, or with an error. */
  let endings: ((error?: Error) => void)[];
  let reports: unknown[];
  let loop: BackgroundLoop;

  beforeEach(() => {
    endings = [];
    reports = [];
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => {
        endings.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    loop = new BackgroundLoop(work, 1, (error) => reports.push(error));
    loop.start();
  });

  const beginning = (count: number): Promise<void> => eventually(() => expect(endings).toHaveLength(count));

  it('begins a round only when the one before is over, also when that failed', async () => {
    await beginning(1);
    endings[0]?.(new Error('away'));
    await beginning(2);
    endings[1]?.();
    await beginning(3);
    expect(reports).toEqual([new Error('away')]);
    endings[2]?.();
    await loop.stop();
  });

  it('waits for the round under way when it stops, and says nothing of how that ends', async () => {
    await beginning(1);
    let stopped = false;
    const stop = loop.stop().then(() => (stopped = true));
    expect(loop.stopping).toBe(true);
    await nextTurn();
    expect(stopped).toBe(false);
    endings[0]?.(new Error('closed'));
    await stop;
    expect(reports).toEqual([]);
    expect(endings).toHaveLength(1);
  });
});
