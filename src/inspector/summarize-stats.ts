import { percentile } from '../delivery/stats/latency-class';
import type { DeliveryCounts } from '../delivery/stats/read-delivery-counts';
import { roundMs } from '../delivery/stats/round-ms';
import type { SpanName } from '../delivery/stats/span-name';
import type { EventCounts } from '../events/counts/read-event-counts';
import type { InboxLag } from '../events/inbox/inbox-lag';
import type {
  DeliveryTotalsDto,
  SourceTotalsDto,
  StandingQuarantineDto,
  StatsDto,
  StatsStepDto,
} from './dto/stats.dto';

/** A time to look at, and the steps that it is shown in. */
export const SPANS = {
  hour: { steps: 60, stepSeconds: 60 },
  day: { steps: 96, stepSeconds: 900 },
} as const satisfies Record<SpanName, object>;

interface Counted {
  readonly quarantine: StandingQuarantineDto;
  readonly events: readonly EventCounts[];
  readonly deliveries: readonly DeliveryCounts[];
  readonly inbox: InboxLag | undefined;
}

/** When the first step of a span begins; the last one is under way. */
export function startOf(span: SpanName, nowMs: number): number {
  const { steps, stepSeconds } = SPANS[span];
  const stepMs = stepSeconds * 1000;
  return (Math.floor(nowMs / stepMs) - steps + 1) * stepMs;
}

/** What was counted, as a whole, by source, and step by step: steps in which nothing was counted too. */
export function summarize(span: SpanName, nowMs: number, counted: Counted): StatsDto {
  const { events, deliveries, inbox, quarantine } = counted;
  return {
    span,
    events: {
      accepted: sumOf(events, 'accepted'),
      duplicate: sumOf(events, 'duplicate'),
      rejected: sumOf(events, 'rejected'),
      quarantined: sumOf(events, 'quarantined'),
      inboxRows: inbox?.rows ?? 0,
      inboxOldestSeconds: Math.round((inbox?.oldestSeconds ?? 0) * 10) / 10,
    },
    sources: totalsOfSources(events),
    quarantine,
    deliveries: totalsOf(deliveries),
    steps: stepsOf(span, nowMs, { events, deliveries }),
  };
}

function totalsOfSources(events: readonly EventCounts[]): SourceTotalsDto[] {
  const sourceIds = [...new Set(events.map(({ sourceId }) => sourceId))].toSorted();
  return sourceIds.map((sourceId) => {
    const own = events.filter((one) => one.sourceId === sourceId);
    return {
      sourceId,
      accepted: sumOf(own, 'accepted'),
      duplicate: sumOf(own, 'duplicate'),
      rejected: sumOf(own, 'rejected'),
      quarantined: sumOf(own, 'quarantined'),
    };
  });
}

function totalsOf(deliveries: readonly DeliveryCounts[]): DeliveryTotalsDto {
  const delivered = sumOf(deliveries, 'delivered');
  const latencies = new Map<number, number>();
  for (const { outcome, latencyClass, count } of deliveries) {
    if (outcome === 'delivered') latencies.set(latencyClass, (latencies.get(latencyClass) ?? 0) + count);
  }
  const at = (share: number): number | null => roundMs(percentile(latencies, share) ?? null);
  return {
    delivered,
    failed: sumOf(deliveries, 'failed'),
    dead: sumOf(deliveries, 'dead') + sumOf(deliveries, 'expired'),
    latency: { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) },
  };
}

function stepsOf(
  span: SpanName,
  nowMs: number,
  { events, deliveries }: Pick<Counted, 'events' | 'deliveries'>,
): StatsStepDto[] {
  const start = startOf(span, nowMs);
  const { steps, stepSeconds } = SPANS[span];
  const shown = Array.from({ length: steps }, (_, index) => ({
    at: new Date(start + index * stepSeconds * 1000).toISOString(),
    accepted: 0,
    duplicate: 0,
    rejected: 0,
    quarantined: 0,
    delivered: 0,
    failed: 0,
    dead: 0,
  }));
  for (const { at, outcome, count } of [...events, ...deliveries]) {
    // What was counted after `nowMs`, by a clock that runs ahead a little, is of the last step.
    const index = Math.min(Math.floor((at.getTime() - start) / (stepSeconds * 1000)), steps - 1);
    const step = shown[index];
    if (step !== undefined) step[outcome === 'expired' ? 'dead' : outcome] += count;
  }
  return shown;
}

function sumOf<Outcome extends string>(
  counts: readonly { readonly outcome: Outcome; readonly count: number }[],
  outcome: Outcome,
): number {
  return counts.reduce((sum, one) => (one.outcome === outcome ? sum + one.count : sum), 0);
}
