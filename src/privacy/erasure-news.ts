import { Injectable } from '@nestjs/common';
import { type Announcement, Deliveries, type DeliveryChunk } from '../delivery/deliveries';
import { deletionNotice } from '../delivery/notices';
import { userSubject } from '../events/subject';
import type { Tx } from '../platform/database/database';
import { JobDispatcher } from '../platform/queues/job-dispatcher';

/** Brings a deletion to those who have to know: destinations, and the queue that may show events of the person. */
@Injectable()
export class ErasureNews {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /**
   * Tells the destinations that asked for `delete` notices, inside the caller's transaction. The notice has to name
   * the person; its text is removed once it has arrived, see `NoticeCleaner`.
   */
  announce(userId: string, at: string, tx: Tx): Promise<Announcement> {
    return this.deliveries.announce([deletionNotice(userSubject(userId), at)], tx);
  }

  /** To be called once the transaction has committed. */
  async spread(chunks: readonly DeliveryChunk[], deadEventIds: readonly string[]): Promise<void> {
    await this.deliveries.enqueue(chunks);
    const deadLetters = this.dispatcher.queue('dead-letters');
    for (const eventId of deadEventIds) await deadLetters.remove(`event-${eventId}`);
  }
}
