import { Injectable, Logger } from '@nestjs/common';
import { BatchBreaker } from '../batches/batch-breaker';
import { Breakers } from '../breaker/breakers';
import { DestinationHealth } from '../breaker/destination-health';
import { DeliveryModes } from '../delivery-modes';
import { Lanes } from '../lanes/lanes';

/** Finds out whether destinations that are down are back: with one delivery, or by asking a batch connector. */
@Injectable()
export class Probes {
  private readonly logger = new Logger(Probes.name);

  constructor(
    private readonly health: DestinationHealth,
    private readonly modes: DeliveryModes,
    private readonly lanes: Lanes,
    private readonly breakers: Breakers,
    private readonly batches: BatchBreaker,
  ) {}

  /** Starts the probes that are due; others may take turns with this process. @throws when PostgreSQL is away. */
  async start(): Promise<void> {
    const due = await this.health.takeProbes((id) => this.modes.goByLane(id) || this.batches.sends(id));
    for (const destinationId of due) {
      const probe = this.batches.sends(destinationId)
        ? this.batches.probe(destinationId)
        : this.probe(destinationId);
      probe.catch((error: unknown) => {
        // May stop here: the next probe is seconds away.
        this.logger.warn(`The probe of destination ${destinationId} did not succeed: ${String(error)}`);
      });
    }
  }

  private async probe(destinationId: string): Promise<void> {
    const lane = this.lanes.of(destinationId);
    if (!(await lane.probe())) return;
    await this.breakers.close(destinationId);
    lane.drain();
  }
}
