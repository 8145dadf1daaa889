import { timeOfId } from '../../events/partitions/partition-plan';
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import type { BatchLimits } from '../../connectors/connector';
import { BatchPlanner, type PlanClock, type PlannedBatch, type WaitingDelivery } from './batch-planner';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 20, 16);
const LIMITS = { maxEvents: 3, maxBytes: 100, flushSeconds: 60 };
const CALM = { nowMs: START, isCrowded: false };

describe('the planner of batches', () => {
  it('waits while nothing is full or old', () => {
    expect(planBatches([waiting(1), waiting(2)], LIMITS, CALM)).toEqual([]);
  });

  it('closes at the number of events', () => {
    const plan = planBatches([waiting(1), waiting(2), waiting(3), waiting(4)], LIMITS, CALM);
    expect(plan).toMatchObject([{ deliveryIds: [idOf(1), idOf(2), idOf(3)], hourMs: START }]);
  });

  it('closes before it gets too large, and lets one large event have a batch of its own', () => {
    const plan = planBatches(
      [waiting(1, { bytes: 60 }), waiting(2, { bytes: 60 }), waiting(3, { bytes: 500 })],
      LIMITS,
      CALM,
    );
    expect(plan.map(({ deliveryIds }) => deliveryIds)).toEqual([[idOf(1)], [idOf(2)], [idOf(3)]]);
  });

  it('closes what has waited long enough', () => {
    const clock = { nowMs: START + 61_000, isCrowded: false };
    expect(planBatches([waiting(1), waiting(2)], LIMITS, clock)).toHaveLength(1);
  });

  it('keeps sources and hours apart', () => {
    const clock = { nowMs: START + 2 * HOUR_MS, isCrowded: false };
    const plan = planBatches(
      [waiting(1), waiting(2, { sourceId: 's2' }), waiting(3, { receivedAt: START - 1 })],
      LIMITS,
      clock,
    );
    expect(plan).toMatchObject([
      { sourceId: 's1', hourMs: START },
      { sourceId: 's2', hourMs: START },
      { sourceId: 's1', hourMs: START - HOUR_MS },
    ]);
  });

  it('makes room when more wait than it can see', () => {
    const plan = planBatches(
      [waiting(1), waiting(2, { sourceId: 's2' }), waiting(3, { sourceId: 's2' })],
      LIMITS,
      { nowMs: START, isCrowded: true },
    );
    expect(plan).toMatchObject([{ sourceId: 's2', deliveryIds: [idOf(2), idOf(3)] }]);
  });

  it('puts no delivery into two batches and none beyond the limits', () => {
    const deliveries = array(
      record({
        sourceId: constantFrom('a', 'b'),
        bytes: integer({ min: 1, max: 150 }),
        hour: integer({ min: 0, max: 2 }),
      }),
      { maxLength: 60 },
    );
    assert(
      property(deliveries, (random) => {
        const all = random.map(({ sourceId, bytes, hour }, n) =>
          waiting(n, { sourceId, bytes, receivedAt: START - hour * HOUR_MS }),
        );
        const plan = planBatches(all, LIMITS, { nowMs: START + HOUR_MS, isCrowded: false });
        expect(plan.flatMap(({ deliveryIds }) => deliveryIds).toSorted()).toEqual(
          all.map(({ id }) => id).toSorted(),
        );
        for (const { deliveryIds, bytes } of plan) {
          expect(deliveryIds.length).toBeLessThanOrEqual(LIMITS.maxEvents);
          expect(bytes <= LIMITS.maxBytes || deliveryIds.length === 1).toBe(true);
        }
      }),
    );
  });
});

function waiting(
  n: number,
  {
    sourceId = 's1',
    bytes = 10,
    receivedAt = START,
  }: { sourceId?: string; bytes?: number; receivedAt?: number } = {},
): WaitingDelivery {
  const delivery = { id: idOf(n), eventId: anId(receivedAt, n), sourceId, bytes };
  expect(timeOfId(delivery.eventId)).toBe(receivedAt);
  return delivery;
}

function idOf(n: number): string {
  return anId(START, n);
}

function anId(timeMs: number, n: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
}

function planBatches(
  deliveries: readonly WaitingDelivery[],
  limits: BatchLimits,
  clock: PlanClock,
): PlannedBatch[] {
  const planner = new BatchPlanner(limits);
  for (const delivery of deliveries) planner.addWaiting(delivery);
  return planner.plan(clock);
}
