import { Breaker } from '../breaker/breaker';
import { MAX_JOB_DELIVERIES } from '../first-tries';
import type { Ledger } from '../ledger/ledger';
import type { OutcomeWriter } from '../ledger/recording/outcome-writer';
import type { RateLimiter } from '../rate/rate-limiter';
import type { Attempts } from '../sending/attempts';
import { Budget } from './budget';
import { Lane } from './lane';
import { LaneBudget } from './lane-budget';
import { LaneClaims } from './lane-claims';
import type { LaneGate } from './lane-gate';
import { LaneJob } from './lane-job';

describe('what waits for lanes', () => {
  const ids = Array.from({ length: MAX_JOB_DELIVERIES }, (_, n) => String(n));

  /** A lane whose claims take for ever. */
  function slowLane(shared: Budget): { lane: Lane; claims: LaneClaims } {
    const ledger = { claimDeliveries: () => new Promise(() => undefined), defer: async () => undefined };
    const gate = { isOpen: true, destination: {}, breaker: new Breaker(1) } as unknown as LaneGate;
    const budget = new LaneBudget('d', shared);
    const claims = new LaneClaims(gate, ledger as unknown as Ledger, budget);
    return { lane: new Lane(gate, claims, budget, {} as Attempts), claims };
  }

  /** Brings up to a thousand jobs, as long as the lane takes them. Answers how many those were. */
  function fill(lane: Lane): number {
    let jobs = 0;
    for (; jobs < 1_000 && lane.takesJob(ids.length); jobs += 1) void lane.deliver(new LaneJob(ids));
    return jobs;
  }

  it('is bounded, in each lane and in all together, and any lane may have one job', () => {
    const shared = new Budget({} as RateLimiter, { isFull: false } as OutcomeWriter);
    const { lane, claims } = slowLane(shared);
    expect(fill(lane)).toBe(222);
    // Its jobs may end without their deliveries: those wait on.
    lane.letJobsGo();
    expect(fill(lane)).toBe(0);
    const others = Array.from({ length: 300 }, () => fill(slowLane(shared).lane));
    expect(others.reduce((sum, jobs) => sum + jobs)).toBeLessThan(2_300);
    expect(Math.min(...others)).toBe(1);
    claims.giveBackWaiting();
    expect(fill(lane)).toBe(1);
  });
});
