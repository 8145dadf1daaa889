import { setTimeout as delay } from 'node:timers/promises';
import { failureOf } from '../failure';

const MAX_LOST_RACES = 10;
const MAX_PAUSE_MS = 50;

/** Runs a transaction, and again where it lost a race against another one. @throws what the last try threw. */
export async function retryRaces<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact();
    } catch (error) {
      if (failureOf(error) !== 'race' || attempt === MAX_LOST_RACES) throw error;
      await delay(Math.random() * MAX_PAUSE_MS);
    }
  }
}
