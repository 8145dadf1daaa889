import type { CountedOutcome } from './delivery-counter';
import { percentile } from './latency-class';
import type { TryCount } from './read-try-counts';
import { roundMs } from './round-ms';

/** What happened within a time. */
export interface TrySummary {
  readonly delivered: number;
  readonly failed: number;
  readonly dead: number;
  /** Null when nothing was tried. */
  readonly successRate: number | null;
  /** Null when nothing was delivered. */
  readonly latency: Readonly<Record<'p50Ms' | 'p95Ms' | 'p99Ms', number | null>>;
}

/** @param counts of one destination */
export function summarizeTries(counts: readonly TryCount[]): TrySummary {
  const sum = (wanted: CountedOutcome): number =>
    counts.reduce((total, { outcome, count }) => (outcome === wanted ? total + count : total), 0);
  const [delivered, failed, dead, expired] = [sum('delivered'), sum('failed'), sum('dead'), sum('expired')];
  const tries = delivered + failed + dead;
  const latencies = new Map(
    counts.filter(({ outcome }) => outcome === 'delivered').map((row) => [row.latencyClass, row.count]),
  );
  const at = (share: number): number | null =>
    delivered === 0 ? null : roundMs(percentile(latencies, share) ?? null);
  return {
    delivered,
    failed,
    dead: dead + expired,
    // Not up: 1 means that none failed.
    successRate: tries === 0 ? null : Math.floor((delivered / tries) * 10_000) / 10_000,
    latency: { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) },
  };
}
