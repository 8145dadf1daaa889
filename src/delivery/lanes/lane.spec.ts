import { Breaker } from '../breaker/breaker';
import type { DeliveryModes } from '../delivery-modes';
import { MAX_JOB_DELIVERIES } from '../first-tries';
import type { Ledger } from '../ledger/ledger';
import type { OutcomeWriter } from '../ledger/recording/outcome-writer';
import type { RateLimiter } from '../rate/rate-limiter';
import type { Attempts } from '../sending/attempts';
import { Budget } from './budget';
import { Lane } from './lane';
import { LaneBudget } from './lane-budget';
import { LaneClaims } from './lane-claims';
import { LaneGate } from './lane-gate';
import { LaneJob } from './lane-job';

describe('what waits for lanes', () => {
  const ids = Array.from({ length: MAX_JOB_DELIVERIES }, (_, n) => String(n));

  /** A lane whose claims take for ever. */
  function slowLane(shared: Budget): { lane: Lane; claims: LaneClaims } {
    const ledger = {
      claimDeliveries: () => new Promise(() => undefined),
      findPassedOver: async () => [],
      defer: async () => undefined,
    };
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

describe('the probe of a lane', () => {
  const outage = new Breaker(1);
  outage.open();

  /**
   * A lane whose probes find nothing that can be sent.
   * @param onTry told the number of each try, says what it comes to
   */
  function unsendable(destination: object, onTry: (tries: number, lane: Lane) => 'pending' | void): Lane {
    const modes = { destination: () => destination, goOneByOne: () => true } as unknown as DeliveryModes;
    const ledger = { claimNext: async () => [{ id: '1', body: '{}' }], hasPending: async () => true };
    const budget = new LaneBudget('d', new Budget({} as RateLimiter, { isFull: false } as OutcomeWriter));
    const gate = new LaneGate('d', outage, modes);
    let tries = 0;
    const attempts = {
      make: async () => {
        const state = onTry((tries += 1), lane);
        return { state: state ?? 'dead', isOfEvent: true };
      },
      recordProbe: async () => undefined,
    };
    const claims = new LaneClaims(gate, ledger as unknown as Ledger, budget);
    const lane = new Lane(gate, claims, budget, attempts as unknown as Attempts);
    return lane;
  }

  it('ends when the destination is switched off, and when the process stops', async () => {
    let tries = 0;
    const destination = { enabled: true };
    const switchedOff = unsendable(destination, (count) => {
      tries = count;
      if (count === 3) destination.enabled = false;
    });
    expect([await switchedOff.probe(), tries]).toEqual(['down', 3]);
    const stopped = unsendable({ enabled: true }, (count, lane) => {
      tries = count;
      if (count === 5) lane.close();
    });
    expect([await stopped.probe(), tries]).toEqual(['down', 5]);
  });

  it('does not try what waits for something else again and again', async () => {
    let tries = 0;
    const waiting = unsendable({ enabled: true }, (count) => {
      tries = count;
      return 'pending';
    });
    expect([await waiting.probe(), tries]).toEqual(['down', 1]);
  });
});
