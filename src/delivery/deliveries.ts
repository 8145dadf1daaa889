import { Injectable } from '@nestjs/common';
import type { CustomerEvent } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { JobDispatcher } from '../platform/queues/job-dispatcher';
import type { MembershipChange } from '../segments/membership-change';

/** Deliveries of one destination that are due and want a job. */
export interface DeliveryChunk {
  readonly destinationId: string;
  readonly destinationName: string;
  readonly deliveryIds: readonly string[];
}

/** The way from a processed event to its deliveries. */
@Injectable()
export class Deliveries {
  constructor(private readonly dispatcher: JobDispatcher) {}

  /**
   * Decides which destinations get an event and writes one pending delivery for each, inside the caller's
   * transaction. The caller enqueues the answered chunks once it has committed.
   */
  async route(
    _events: readonly CustomerEvent[],
    _moved: readonly MembershipChange[],
    _tx: Tx,
  ): Promise<DeliveryChunk[]> {
    return [];
  }

  /** Enqueues first tries. Never rejects: what the queue does not take now, the sweeper enqueues later. */
  async enqueue(chunks: readonly DeliveryChunk[]): Promise<void> {
    await this.dispatcher.dispatch(
      'deliveries',
      chunks.map(({ destinationId, destinationName, deliveryIds }) => ({
        id: `${destinationId}-${deliveryIds[0]}`,
        name: `${destinationName} (${deliveryIds.length} events)`,
        data: { destinationId, deliveryIds },
      })),
    );
  }
}
