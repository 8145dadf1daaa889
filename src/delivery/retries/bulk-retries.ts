import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { changeInParts, PART_DELIVERIES, type Tally } from '../change-in-parts';
import { hurryAllBatches } from '../ledger/batches/hurry-batches';
import { PendingFrom } from '../ledger/pending-from';
import { hurryPart } from '../ledger/waiting/hurry-deliveries';

/** Which of the deliveries that wait for their next tries are meant. */
export interface BulkRetry {
  readonly destinationId: string;
  /** Why the last try failed; null is any reason. */
  readonly reason: string | null;
}

/** Makes due what waits for its next try. */
@Injectable()
export class BulkRetries {
  private readonly graceMs: number;

  constructor(
    private readonly database: Database,
    private readonly pendingFrom: PendingFrom,
    config: Config,
  ) {
    this.graceMs = config.delivery.graceMs;
  }

  /**
   * All that waits for a destination when it is called is due when it resolves, and is tried like any backlog. Each is
   * made due once: what fails again meanwhile waits as its backoff says. What a worker has in hand is left alone, and
   * so is what another transaction has at that moment. Tries are counted as ever, ages too.
   *
   * @param part deliveries that one transaction makes due
   * @returns how many there were
   */
  async hurryAll(
    { destinationId, reason }: BulkRetry,
    tally: Tally,
    part = PART_DELIVERIES,
  ): Promise<number> {
    const [begun] = await this.database.query<{ at: string }>('select now()::text as at');
    const triedUntil = begun?.at ?? '-infinity';
    const asked = { destinationId, reason, pendingFrom: this.pendingFrom.id };
    return changeInParts<string>(
      this.database,
      async (dueFrom, tx) => {
        if (dueFrom === undefined) return { count: await hurryAllBatches(asked, tx), next: '-infinity' };
        const waiting = { ...asked, graceMs: this.graceMs, dueFrom, triedUntil, limit: part };
        const { count, lastDue } = await hurryPart(waiting, tx);
        return { count, next: count < part ? undefined : lastDue };
      },
      tally,
    );
  }
}
