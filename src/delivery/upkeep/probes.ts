import { Injectable, Logger } from '@nestjs/common';
import { BatchBreaker } from '../batches/batch-breaker';
import { DestinationHealth } from '../breaker/health';
import { Lanes } from '../lanes/lanes';

/** Finds out whether destinations that are down are back: with one delivery, or by asking a batch connector. */
@Injectable()
export class Probes {
  private readonly logger = new Logger(Probes.name);

  constructor(
    private readonly health: DestinationHealth,
    private readonly lanes: Lanes,
    private readonly batches: BatchBreaker,
  ) {}

  /** Starts the probes that are due; others may take turns with this process. @throws when PostgreSQL is away. */
  async start(): Promise<void> {
    const due = await this.health.takeProbes((id) => this.lanes.sends(id) || this.batches.sends(id));
    for (const destinationId of due) {
      const way = this.batches.sends(destinationId) ? this.batches : this.lanes;
      way.probe(destinationId).catch((error: unknown) => {
        // May stop here: the next probe is seconds away.
        this.logger.warn(`The probe of destination ${destinationId} did not succeed: ${String(error)}`);
      });
    }
  }
}
