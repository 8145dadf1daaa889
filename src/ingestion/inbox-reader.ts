import { Injectable } from '@nestjs/common';
import type { CustomerEvent } from '../events/customer-event';
import type { Tx } from '../platform/database/database';

/** Takes accepted events out of the inbox. */
@Injectable()
export class InboxReader {
  /**
   * Removes the inbox row in the caller's transaction and answers its events in order of arrival;
   * nothing when another worker has it or had it.
   */
  async take(_inboxId: string, _tx: Tx): Promise<CustomerEvent[]> {
    return [];
  }
}
