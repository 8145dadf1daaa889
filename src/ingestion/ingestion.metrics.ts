import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics';

/** What became of the events that were sent. */
@Injectable()
export class IngestionMetrics {
  private readonly events = this.metrics.counter({
    name: 'events_total',
    help: 'Events of answered requests: accepted, duplicate, quarantined, or rejected.',
    labelNames: ['outcome'],
  });
  private readonly rejections = this.metrics.counter({
    name: 'events_rejected_total',
    help: 'Rejected events by the code of their first problem.',
    labelNames: ['code'],
  });
  private readonly commitSeconds = this.metrics.histogram({
    name: 'ingest_commit_seconds',
    help: 'Time to store the events of one group commit.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  });
  private readonly commitEvents = this.metrics.histogram({
    name: 'ingest_commit_events',
    help: 'Events of one group commit.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
  });

  constructor(private readonly metrics: Metrics) {
    // From the start, so that a first rejection is an increase.
    for (const outcome of ['accepted', 'duplicate', 'quarantined', 'rejected'])
      this.events.inc({ outcome }, 0);
  }

  committed(events: number, milliseconds: number): void {
    this.commitEvents.observe(events);
    this.commitSeconds.observe(milliseconds / 1000);
  }

  stored(counts: {
    readonly accepted: number;
    readonly duplicates: number;
    readonly quarantined: number;
  }): void {
    this.events.inc({ outcome: 'accepted' }, counts.accepted);
    this.events.inc({ outcome: 'duplicate' }, counts.duplicates);
    this.events.inc({ outcome: 'quarantined' }, counts.quarantined);
  }

  /** Codes are a closed set of the service's own, see `EventProblemCode`. */
  rejected(rejections: readonly { readonly code: string }[]): void {
    this.events.inc({ outcome: 'rejected' }, rejections.length);
    for (const { code } of rejections) this.rejections.inc({ code });
  }
}
