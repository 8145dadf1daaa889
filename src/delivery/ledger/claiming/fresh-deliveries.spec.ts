import type { ClaimedDelivery } from './claimed-delivery';
import { FreshDeliveries } from './fresh-deliveries';

function aDelivery(id: string, size = 10): ClaimedDelivery {
  return {
    id,
    destinationId: 'destination',
    attempts: 0,
    attemptLimit: undefined,
    eventType: 'track',
    body: 'x'.repeat(size),
    leaseEndsAt: 30_000,
  };
}

describe('FreshDeliveries', () => {
  let now: number;
  let fresh: FreshDeliveries;
  const take = (ids: string[], untouchedMs = 0): string[] =>
    fresh.takeFresh(ids, untouchedMs).map(({ id }) => id);

  beforeEach(() => {
    now = 0;
    fresh = new FreshDeliveries(() => now);
  });

  it('answers those that it has, once', () => {
    fresh.keep([aDelivery('a'), aDelivery('b')]);
    expect(take(['b', 'c'])).toEqual(['b']);
    expect(take(['a', 'b'])).toEqual(['a']);
  });

  it('answers none that are two seconds old, that the grace of their job is too short for, or that were dropped', () => {
    fresh.keep([aDelivery('old')]);
    now = 2_000;
    fresh.keep([aDelivery('dropped'), aDelivery('short')]);
    fresh.drop(['dropped']);
    expect(take(['old', 'dropped'])).toEqual([]);
    expect(take(['short'], 28_000)).toEqual([]);
  });

  it('keeps those of the last second', () => {
    fresh.keep([aDelivery('young')]);
    now = 1_000;
    fresh.keep([aDelivery('younger')]);
    expect(take(['young', 'younger'])).toEqual(['young', 'younger']);
  });

  it('forgets the oldest when the bodies are too large', () => {
    for (const id of ['a', 'b', 'c']) fresh.keep([aDelivery(id, 2_500_000)]);
    expect(take(['a', 'b', 'c'])).toEqual(['c']);
  });
});
