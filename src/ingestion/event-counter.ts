import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { countEvents, type CountedAs } from '../events/counts/count-events';
import { GatheredKinds } from '../platform/background/gathered-kinds';
import { Database } from '../platform/database/database';

const FLUSH_MS = 1_000;

type Counts = Record<CountedAs, number>;

interface CountsOfSource extends Counts {
  readonly sourceId: string;
}

/** Counts events per source and minute, for people to look at. A crash loses the counts of a second, nothing else. */
@Injectable()
export class EventCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EventCounter.name);
  private readonly sources = new GatheredKinds<CountsOfSource>({
    everyMs: FLUSH_MS,
    write: (counts) => countEvents(counts.flatMap(outcomesOf), this.database),
    report: (error) => this.logger.debug(`Counts of events are lost: ${String(error)}`),
  });

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.sources.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sources.stop();
  }

  count(sourceId: string, { accepted, duplicate, rejected, quarantined }: Counts): void {
    const counts = this.sources.find(sourceId, () => ({ sourceId, ...NONE }));
    if (counts === undefined) return;
    counts.accepted += accepted;
    counts.duplicate += duplicate;
    counts.rejected += rejected;
    counts.quarantined += quarantined;
  }
}

const NONE: Counts = { accepted: 0, duplicate: 0, rejected: 0, quarantined: 0 };

function outcomesOf({ sourceId, ...counts }: CountsOfSource): Parameters<typeof countEvents>[0] {
  return (Object.keys(counts) as CountedAs[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => ({ sourceId, outcome, count: counts[outcome] }));
}
