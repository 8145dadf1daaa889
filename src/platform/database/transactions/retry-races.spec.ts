import { LostRaceError } from '../failure';
import { retryRaces } from './retry-races';

/** Fails as often as said, then answers how many tries it took. */
function failing(times: number, error: Error): () => Promise<number> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw error;
    return tries;
  };
}

describe('retryRaces', () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

  it('runs again what lost a race, by what PostgreSQL says or by what the work found', async () => {
    expect(await retryRaces(failing(2, deadlock))).toBe(3);
    expect(await retryRaces(failing(2, new LostRaceError('again')))).toBe(3);
  });

  it('gives up what loses every race', async () => {
    await expect(retryRaces(failing(1_000, deadlock))).rejects.toThrow('deadlock detected');
  });

  it('runs nothing else again', async () => {
    await expect(retryRaces(failing(1, new Error('a bug')))).rejects.toThrow('a bug');
  });
});
