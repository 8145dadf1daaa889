import { timeOfId } from '../../events/partitions/partition-plan';
import type { BatchLimits } from '../../connectors/connector';

/** A delivery that waits for a batch. */
export interface WaitingDelivery {
  /** UUIDv7: its time is the time of routing. */
  readonly id: string;
  /** UUIDv7: its time is the time of reception. */
  readonly eventId: string;
  readonly sourceId: string;
  /** Of the event's JSON. */
  readonly bytes: number;
}

/** The events of a batch to be. */
export interface PlannedBatch {
  readonly sourceId: string;
  /** The start of the hour of reception, in milliseconds since 1970. */
  readonly hourMs: number;
  readonly deliveryIds: readonly string[];
  readonly bytes: number;
}

export interface PlanClock {
  readonly nowMs: number;
  /** There are more that wait than could be looked at: something must be closed to make room. */
  readonly isCrowded: boolean;
}

const HOUR_MS = 3_600_000;

interface OpenBatch {
  readonly sourceId: string;
  readonly hourMs: number;
  deliveryIds: string[];
  bytes: number;
  oldestMs: number;
}

/**
 * Says which of the waiting deliveries, added oldest first, make batches now. A batch has one source and one hour, at
 * most `maxEvents` and `maxBytes` (one event alone may be larger), and is closed when it is full or its oldest event
 * has waited for `flushSeconds`. Of each delivery nothing but its id is kept.
 */
export class BatchPlanner {
  private readonly closed: PlannedBatch[] = [];
  private readonly open = new Map<string, OpenBatch>();

  constructor(private readonly limits: BatchLimits) {}

  addWaiting(delivery: WaitingDelivery): void {
    const { maxEvents, maxBytes } = this.limits;
    const group = groupFor(this.open, delivery);
    if (group.deliveryIds.length > 0 && group.bytes + delivery.bytes > maxBytes) this.close(group);
    group.deliveryIds.push(delivery.id);
    group.bytes += delivery.bytes;
    group.oldestMs = Math.min(group.oldestMs, timeOfId(delivery.id));
    if (group.deliveryIds.length >= maxEvents || group.bytes >= maxBytes) this.close(group);
  }

  /** To be asked once, when all are added. */
  plan({ nowMs, isCrowded }: PlanClock): PlannedBatch[] {
    const rest = [...this.open.values()].filter(({ deliveryIds }) => deliveryIds.length > 0);
    for (const group of rest) {
      if (nowMs - group.oldestMs >= this.limits.flushSeconds * 1000) this.close(group);
    }
    if (isCrowded && this.closed.length === 0) {
      const [largest] = rest.toSorted((a, b) => b.deliveryIds.length - a.deliveryIds.length);
      if (largest !== undefined) this.close(largest);
    }
    return this.closed;
  }

  private close(group: OpenBatch): void {
    const { sourceId, hourMs, deliveryIds, bytes } = group;
    this.closed.push({ sourceId, hourMs, deliveryIds, bytes });
    group.deliveryIds = [];
    group.bytes = 0;
    group.oldestMs = Number.POSITIVE_INFINITY;
  }
}

function groupFor(open: Map<string, OpenBatch>, { sourceId, eventId }: WaitingDelivery): OpenBatch {
  const hourMs = Math.floor(timeOfId(eventId) / HOUR_MS) * HOUR_MS;
  const key = `${sourceId} ${hourMs}`;
  const known = open.get(key);
  if (known !== undefined) return known;
  const group: OpenBatch = {
    sourceId,
    hourMs,
    deliveryIds: [],
    bytes: 0,
    oldestMs: Number.POSITIVE_INFINITY,
  };
  open.set(key, group);
  return group;
}
