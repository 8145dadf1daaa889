import { latencyClassOf } from '../delivery/stats/latency-class';
import { startOf, summarize } from './summarize-stats';

const NO_QUARANTINE = { events: 0, countedUpTo: 1_000 };
const NOW = Date.parse('2026-11-22T12:34:56.789Z');

describe('the statistics of a span', () => {
  it.each([
    ['hour', '2026-11-22T11:35:00.000Z', 60],
    ['day', '2026-11-21T12:45:00.000Z', 96],
  ] as const)('of %s begin at %s and have %d steps, the last under way', (span, start, steps) => {
    const { steps: shown } = summarize(span, NOW, {
      events: [],
      deliveries: [],
      inbox: undefined,
      quarantine: NO_QUARANTINE,
    });
    expect(new Date(startOf(span, NOW)).toISOString()).toBe(start);
    expect(shown).toHaveLength(steps);
    expect(shown[0]?.at).toBe(start);
    expect(Date.parse(shown.at(-1)?.at ?? '')).toBeLessThanOrEqual(NOW);
  });

  it('add up by outcome, by source and by step', () => {
    const at = new Date('2026-11-22T12:34:00.000Z');
    const fast = { at, outcome: 'delivered', latencyClass: latencyClassOf(10), count: 98 } as const;
    const slow = { at, outcome: 'delivered', latencyClass: latencyClassOf(1000), count: 2 } as const;
    const { events, sources, deliveries, steps } = summarize('hour', NOW, {
      events: [
        { sourceId: 'b', at, outcome: 'accepted', count: 5 },
        { sourceId: 'a', at, outcome: 'accepted', count: 2 },
        { sourceId: 'a', at: new Date('2026-11-22T12:00:00.000Z'), outcome: 'rejected', count: 1 },
      ],
      deliveries: [fast, slow, { at, outcome: 'expired', latencyClass: 0, count: 3 }],
      inbox: { rows: 7, oldestSeconds: 1.234 },
      quarantine: NO_QUARANTINE,
    });
    expect(events).toEqual({
      accepted: 7,
      duplicate: 0,
      rejected: 1,
      quarantined: 0,
      inboxRows: 7,
      inboxOldestSeconds: 1.2,
    });
    expect(sources).toEqual([
      { sourceId: 'a', accepted: 2, duplicate: 0, rejected: 1, quarantined: 0 },
      { sourceId: 'b', accepted: 5, duplicate: 0, rejected: 0, quarantined: 0 },
    ]);
    expect(deliveries).toMatchObject({ delivered: 100, failed: 0, dead: 3 });
    expect(deliveries.latency.p50Ms).toBeCloseTo(10, -1);
    expect((deliveries.latency.p99Ms ?? 0) / 1000).toBeCloseTo(1, 0);
    expect(steps.at(-1)).toMatchObject({ accepted: 7, rejected: 0, delivered: 100, dead: 3 });
    expect(steps.find(({ rejected }) => rejected === 1)?.at).toBe('2026-11-22T12:00:00.000Z');
  });

  it('count what a clock that runs ahead has counted as of the last step', () => {
    const events = [{ sourceId: 'a', at: new Date(NOW + 60_000), outcome: 'accepted', count: 1 }] as const;
    const { steps } = summarize('hour', NOW, {
      events,
      deliveries: [],
      inbox: undefined,
      quarantine: NO_QUARANTINE,
    });
    expect(steps.at(-1)?.accepted).toBe(1);
  });
});
