import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { countEvents, type CountedEvents } from '../events/counts/count-events';
import { BackgroundLoop } from '../platform/background/background-loop';
import { Database } from '../platform/database/database';

const FLUSH_MS = 1_000;

type Counts = Record<CountedEvents, number>;

/** Counts events per source and minute, for people to look at. A crash loses the counts of a second, nothing else. */
@Injectable()
export class EventCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EventCounter.name);
  private countsOfSources = new Map<string, Counts>();
  private readonly loop = new BackgroundLoop(
    () => this.flush(),
    FLUSH_MS,
    (error) => this.logger.debug(`Counts of events are lost: ${String(error)}`),
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.flush().catch(() => undefined); // As after a crash.
  }

  count(sourceId: string, { accepted, duplicate, rejected, quarantined }: Counts): void {
    const counts = this.countsOfSources.get(sourceId);
    if (counts === undefined) {
      this.countsOfSources.set(sourceId, { accepted, duplicate, rejected, quarantined });
      return;
    }
    counts.accepted += accepted;
    counts.duplicate += duplicate;
    counts.rejected += rejected;
    counts.quarantined += quarantined;
  }

  private async flush(): Promise<void> {
    if (this.countsOfSources.size === 0) return;
    const counted = [...this.countsOfSources];
    this.countsOfSources = new Map();
    await countEvents(
      counted.flatMap(([sourceId, counts]) =>
        (Object.keys(counts) as CountedEvents[])
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => ({ sourceId, outcome, count: counts[outcome] })),
      ),
      this.database,
    );
  }
}
