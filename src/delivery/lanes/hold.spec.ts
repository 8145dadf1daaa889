import { OutcomeWriter } from '../ledger/recording/outcome-writer';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { RateLimiter } from '../rate/rate-limiter';
import { Budget } from './budget';
import { Hold } from './hold';
import { LaneBudget } from './lane-budget';
import { LaneJob } from './lane-job';

describe('a held delivery', () => {
  // What is not recorded and not limited needs no database.
  const shared = new Budget({} as RateLimiter, { isFull: false } as OutcomeWriter);
  const free = shared.bodies.share;

  function hold(budget: LaneBudget, id: string, job?: LaneJob): Hold {
    const delivery = { id, destinationId: 'd', attempts: 0, attemptLimit: undefined, eventType: 'track' };
    const made = new Hold({ ...delivery, body: 'x'.repeat(100), leaseEndsAt: 0 }, job, budget);
    budget.count([made]);
    return made;
  }

  it('ends once: what it takes up is free again, and its job waits for it no more', async () => {
    const budget = new LaneBudget('d', shared);
    const job = new LaneJob(['1', '2']);
    const [first, second] = [hold(budget, '1', job), hold(budget, '2', job)];
    let isDone = false;
    void job.done.then(() => (isDone = true));
    first.end();
    first.end();
    await Promise.resolve();
    expect([budget.held, budget.isUnused, isDone]).toEqual([[{ id: '2', attempts: 0 }], false, false]);
    second.end();
    await job.done;
    expect([budget.held, budget.isUnused, shared.bodies.share]).toEqual([[], true, free]);
  });

  it('leaves its next try to its job for as long as that waits', () => {
    const budget = new LaneBudget('d', shared);
    const outcome = { state: 'pending' } as DeliveryOutcome;
    const [waits, letGo] = [new LaneJob(['1'], true), new LaneJob(['2'], true)];
    const [first, second] = [hold(budget, '1', waits), hold(budget, '2', letGo)];
    letGo.letGo();
    expect([first.isRetriedByJob, second.isRetriedByJob]).toEqual([true, false]);
    first.end(outcome);
    second.end(outcome);
    expect([waits.outcome, letGo.outcome]).toEqual([outcome, undefined]);
  });
});
