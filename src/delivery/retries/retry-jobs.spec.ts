import type { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import type { JobDispatcher, NewJob } from '../../platform/queues/job-dispatcher';
import type { NotDelivered } from '../ledger/recording/delivery-outcome';
import { RetryJobs } from './retry-jobs';

/** A dispatcher whose queue has as many jobs as the test wants it to have. */
class ScriptedDispatcher {
  delayed = 0;
  readonly added: string[] = [];

  dispatch(_queue: string, jobs: readonly NewJob<'delivery-retries'>[]): Promise<boolean> {
    this.added.push(...jobs.map(({ id }) => id));
    return Promise.resolve(true);
  }

  queue(): { getDelayedCount(): Promise<number> } {
    return { getDelayedCount: () => Promise.resolve(this.delayed) };
  }
}

describe('RetryJobs', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('makes none while 10,000 wait, and again once there are fewer', async () => {
    const dispatcher = new ScriptedDispatcher();
    const destinations = { get: () => undefined } as unknown as ActiveDestinations;
    const jobs = new RetryJobs(
      dispatcher as unknown as JobDispatcher,
      destinations,
      Config.from({ NODE_ENV: 'test' }),
    );
    /** Adds one, and gives the queue time to be counted again. */
    const addOne = async (id: string): Promise<void> => {
      const delivery = { id, destinationId: 'd' };
      const retry = { stepMs: 2_000, isMoved: false };
      jobs.addRetry({ delivery, attempt: 1, retry, waitMs: 2_000 } as NotDelivered);
      await jest.advanceTimersByTimeAsync(10_000);
    };
    dispatcher.delayed = 10_001;
    await addOne('first');
    await addOne('left to the ledger');
    dispatcher.delayed = 10_000;
    await addOne('counts');
    await addOne('again');
    expect(dispatcher.added).toEqual(['first-1', 'again-1']);
  });
});
