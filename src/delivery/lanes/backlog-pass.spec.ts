import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import { BacklogPass } from './backlog-pass';

function claimed(...dueAt: string[]): ClaimedDelivery[] {
  return dueAt.map((at, n) => ({
    id: String(n),
    destinationId: 'd',
    attempts: 0,
    attemptLimit: undefined,
    dueAt: at,
    eventType: 'track',
    body: '{}',
    leaseEndsAt: 0,
  }));
}

describe('BacklogPass', () => {
  it('reads on from the latest of what was claimed, in whatever order it came', () => {
    const pass = new BacklogPass(0);
    expect(pass.from(0)).toBeUndefined();
    expect(pass.ends(claimed('2026-01-01 00:00:00.5+00', '2026-01-01 00:00:00+00'), 2, 1)).toBe(false);
    expect(pass.from(1)).toBe('2026-01-01 00:00:00.5+00');
  });

  it('ends only when there is nothing from the start on', () => {
    const pass = new BacklogPass(0);
    pass.ends(claimed('2026-01-01 00:00:00+00'), 1, 1);
    expect(pass.ends([], 1, 2)).toBe(false);
    expect(pass.from(3)).toBeUndefined();
    expect(pass.ends([], 1, 4)).toBe(true);
  });

  it('starts over after a while, although there is always more', () => {
    const pass = new BacklogPass(0);
    pass.ends(claimed('2026-01-01 00:00:00+00'), 1, 1);
    expect(pass.from(10_000)).toBeDefined();
    expect(pass.from(10_001)).toBeUndefined();
    pass.ends(claimed('2026-01-01 00:00:01+00'), 1, 10_002);
    expect(pass.from(20_000)).toBe('2026-01-01 00:00:01+00');
  });
});
