import { Injectable, Logger } from '@nestjs/common';
import { BatchProbes } from '../batches/batch-probes';
import { Breakers } from '../breaker/breakers';
import { DestinationHealth } from '../breaker/destination-health';
import { DeliveryModes } from '../delivery-modes';
import { Lanes } from '../lanes/lanes';

/** Finds out whether destinations that are down are back: with one delivery, or by asking a batch connector. */
@Injectable()
export class DestinationProbes {
  private readonly logger = new Logger(DestinationProbes.name);
  /** A probe may take longer than it is until the next one. */
  private readonly probed = new Set<string>();

  constructor(
    private readonly health: DestinationHealth,
    private readonly modes: DeliveryModes,
    private readonly lanes: Lanes,
    private readonly batches: BatchProbes,
    private readonly breakers: Breakers,
  ) {}

  /** Starts the probes that are due; other processes may do the same in between. @throws when PostgreSQL is away. */
  async startDue(): Promise<void> {
    const canProbe = (id: string): boolean => !this.probed.has(id) && this.modes.canGo(id);
    for (const id of await this.health.takeProbes(canProbe)) void this.probe(id);
  }

  /** Never rejects. */
  private async probe(destinationId: string): Promise<void> {
    this.probed.add(destinationId);
    try {
      await this.findOut(destinationId);
    } catch (error) {
      // May stop here: the next probe is seconds away.
      this.logger.warn(`The probe of destination ${destinationId} did not succeed: ${String(error)}`);
    } finally {
      this.probed.delete(destinationId);
    }
  }

  private async findOut(destinationId: string): Promise<void> {
    const batched = this.modes.batched(destinationId);
    const lane = this.lanes.laneOf(destinationId);
    const found = batched === undefined ? await lane.probe() : await this.batches.probe(batched);
    if (found === 'down') return;
    await this.breakers.close(destinationId, found);
    if (batched === undefined) lane.drain();
    else await this.batches.drain(destinationId);
  }
}
