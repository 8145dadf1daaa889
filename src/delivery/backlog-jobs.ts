import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_WAITING_JOBS } from '../platform/queues/job-offers';
import { JobDispatcher, type NewJob } from '../platform/queues/job-dispatcher';
import { DeliveryModes } from './delivery-modes';

/**
 * A job that has a worker go through whatever is due of a destination.
 * @param occasion two of one destination and occasion are one
 */
export function backlogJob(
  { id, name }: { readonly id: string; readonly name: string },
  occasion: string,
): NewJob<'deliveries'> {
  return {
    id: `${id}-backlog-${occasion}`,
    name: `${name} (backlog)`,
    data: { destinationId: id, deliveryIds: [] },
    // The next one of this occasion has the same id.
    options: { removeOnFail: true, removeOnComplete: true },
  };
}

/** Tells workers that something has become due which no job is for. Without it they find out within five seconds. */
@Injectable()
export class BacklogJobs {
  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly modes: DeliveryModes,
  ) {}

  /** To be called once that is committed. Never rejects: what the queue does not take, the sweepers find. */
  async tell(destinationId: string): Promise<void> {
    const destination = this.modes.destination(destinationId);
    if (destination === undefined || !destination.enabled || !this.modes.goOneByOne(destination)) return;
    if ((await this.dispatcher.countWaiting('deliveries')) > MAX_WAITING_JOBS) return;
    await this.dispatcher.dispatch('deliveries', [backlogJob(destination, randomUUID())]);
  }
}
