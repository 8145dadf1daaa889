import { Injectable, Logger } from '@nestjs/common';
import { JobDispatcher } from '../platform/queues/job-dispatcher';
import type { ClaimedDelivery } from './ledger/claimed-delivery';
import { Ledger } from './ledger/ledger';

/** Deliveries that one job brings at most. */
export const MAX_JOB_DELIVERIES = 100;

/** Deliveries of one destination that are due and want a job. */
export interface DeliveryChunk {
  readonly destinationId: string;
  readonly destinationName: string;
  readonly deliveryIds: readonly string[];
  /** What is known of them without the ledger. */
  readonly fresh: readonly ClaimedDelivery[];
}

/** Makes the jobs of first tries. */
@Injectable()
export class DeliveryJobs {
  private readonly logger = new Logger(DeliveryJobs.name);

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Makes a job for each chunk. Where the queue takes none the deliveries are due at once instead of after the grace of
   * their jobs, and the sweeper finds them. Never rejects.
   */
  async enqueue(chunks: readonly DeliveryChunk[]): Promise<void> {
    for (const { fresh } of chunks) this.ledger.keepFresh(fresh);
    const jobs = chunks.map(({ destinationId, destinationName, deliveryIds }) => ({
      id: `${destinationId}-${deliveryIds[0]}`,
      name: `${destinationName} (${deliveryIds.length} events)`,
      data: { destinationId, deliveryIds },
      // The rows in PostgreSQL are what is kept of a job that failed.
      options: { removeOnFail: { count: 1_000 } },
    }));
    if (await this.dispatcher.dispatch('deliveries', jobs)) return;
    await this.ledger
      .defer(chunks.flatMap(({ deliveryIds }) => deliveryIds))
      .catch((error: unknown) =>
        this.logger.warn(`Deliveries wait for the grace of their jobs: ${String(error)}`),
      );
  }
}
