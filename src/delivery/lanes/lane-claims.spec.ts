import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { Ledger } from '../ledger/ledger';
import type { OutcomeWriter } from '../ledger/recording/outcome-writer';
import type { RateLimiter } from '../rate/rate-limiter';
import { Budget } from './budget';
import { LaneBudget } from './lane-budget';
import { LaneClaims } from './lane-claims';
import type { LaneGate } from './lane-gate';
import { LaneJob } from './lane-job';

describe('what jobs bring to a lane', () => {
  const gate = { isOpen: true, destination: {}, destinationId: 'd', perSecond: undefined };

  /** @param isThere whether a delivery can be claimed */
  function claimsOf(isThere: (id: string) => boolean): { claims: LaneClaims; asked: string[][] } {
    const asked: string[][] = [];
    const claim = async (ids: string[]): Promise<ClaimedDelivery[]> => {
      asked.push(ids);
      return ids
        .filter(isThere)
        .map((id) => ({ id, destinationId: 'd', attempts: 0, body: '{}' }) as unknown as ClaimedDelivery);
    };
    // What is not recorded and not limited needs no database.
    const shared = new Budget({} as RateLimiter, { isFull: false } as OutcomeWriter);
    const ledger = { claimDeliveries: claim, findPassedOver: async () => [] } as unknown as Ledger;
    const claims = new LaneClaims(gate as unknown as LaneGate, ledger, new LaneBudget('d', shared));
    return { claims, asked };
  }

  it('is claimed once when two jobs bring it, and neither of them waits for ever', async () => {
    const { claims, asked } = claimsOf(() => true);
    const [lost, again] = [new LaneJob(['1', '2']), new LaneJob(['1'])];
    claims.addJob(lost);
    claims.addJob(again);
    const holds = await claims.claimHolds(10);
    expect(asked).toEqual([['1', '2']]);
    expect(holds.map(({ delivery }) => delivery.id)).toEqual(['1', '2']);
    for (const hold of holds) hold.end();
    await Promise.all([lost.done, again.done]);
  });

  it('ends for both jobs when it cannot be claimed', async () => {
    const { claims } = claimsOf(() => false);
    const jobs = [new LaneJob(['1']), new LaneJob(['1'], true)];
    for (const job of jobs) claims.addJob(job);
    expect(await claims.claimHolds(10)).toEqual([]);
    await Promise.all(jobs.map(({ done }) => done));
  });

  it('is given back when a limit of its destination becomes known by the claim, which nobody has permitted', async () => {
    const released: string[] = [];
    let perSecond: number | undefined;
    const limited = {
      isOpen: true,
      destination: {},
      destinationId: 'd',
      get perSecond() {
        return perSecond;
      },
    };
    const ledger = {
      findPassedOver: async () => [],
      claimDeliveries: async (ids: string[]) => {
        perSecond = 20;
        return ids.map((id) => ({ id, destinationId: 'd', attempts: 0, body: '{}' }));
      },
      release: async (deliveries: { id: string }[]) => void released.push(...deliveries.map(({ id }) => id)),
    } as unknown as Ledger;
    const shared = new Budget({} as RateLimiter, { isFull: false } as OutcomeWriter);
    const claims = new LaneClaims(limited as unknown as LaneGate, ledger, new LaneBudget('d', shared));
    const job = new LaneJob(['1', '2']);
    claims.addJob(job);
    expect(await claims.claimHolds(10)).toEqual([]);
    await job.done;
    expect(released).toEqual(['1', '2']);
    // They are due, and looked for as the limit permits.
    expect(claims.areWanted).toBe(true);
  });

  it('has a retry in every fifth claim of one, although first tries wait', async () => {
    const { claims, asked } = claimsOf(() => false);
    claims.addJob(new LaneJob(Array.from({ length: 10 }, (_, n) => `first ${n}`)));
    for (const id of ['again 0', 'again 1']) claims.addJob(new LaneJob([id], true));
    for (let claim = 0; claim < 10; claim += 1) await claims.claimHolds(1);
    expect(asked.flat().filter((id) => id.startsWith('again'))).toEqual(['again 0', 'again 1']);
  });
});
