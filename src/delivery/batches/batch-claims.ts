import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import {
  type BatchClaimant,
  claimBatch,
  claimBatchToProbe,
  claimNextBatch,
  type ClaimedBatch,
} from '../ledger/batches/claim-batch';
import { countUnsent } from '../ledger/batches/count-unsent';
import { extendBatch } from '../ledger/batches/extend-batch';
import { type DueBatch, findDueBatches } from '../ledger/batches/find-due-batches';
import { giveBackBatch } from '../ledger/batches/give-back-batch';
import { WorkerPresence } from '../presence/worker-presence';

/** Finds batches that are due, takes them for this worker, and gives them back. */
@Injectable()
export class BatchClaims {
  constructor(
    private readonly database: Database,
    private readonly presence: WorkerPresence,
  ) {}

  /** Batches of these destinations that may be tried now, as many of each as may be under way. */
  async findDue(destinationIds: readonly string[]): Promise<DueBatch[]> {
    return findDueBatches(destinationIds, this.presence.lost, this.database);
  }

  /** Takes a batch; undefined when it is not due (any more). */
  async claimBatch(batchId: string): Promise<ClaimedBatch | undefined> {
    return this.claim((claimant) => claimBatch(batchId, claimant, this.database));
  }

  /** Takes the next batch that is due; undefined when none is. */
  async claimNextBatch(destinationId: string): Promise<ClaimedBatch | undefined> {
    return this.claim((claimant) => claimNextBatch(destinationId, claimant, this.database));
  }

  /** Takes the batch that was tried longest ago, due or not; undefined when there is none that nobody holds. */
  async claimBatchToProbe(destinationId: string): Promise<ClaimedBatch | undefined> {
    return this.claim((claimant) => claimBatchToProbe(destinationId, claimant, this.database));
  }

  /** Whether any batch of a destination is closed and not sent, whoever holds it. */
  async hasUnsent(destinationId: string): Promise<boolean> {
    const { batches, triedEvents } = await countUnsent(destinationId, this.database);
    return batches + triedEvents > 0;
  }

  /** Keeps the batch in hand. */
  async extendBatch(batchId: string): Promise<void> {
    await extendBatch(batchId, this.presence.id, this.database);
  }

  /** Makes the batch due at once, in its old place. */
  async giveBackBatch(batchId: string): Promise<void> {
    await giveBackBatch(batchId, this.presence.id, this.database);
  }

  /** A batch may be left to this worker that it has not in hand. */
  noteLeft(): void {
    this.presence.noteLeft();
  }

  /** Who nobody knows to be alive takes none: others would take what it holds for nobody's. */
  private async claim(
    claimAs: (claimant: BatchClaimant) => Promise<ClaimedBatch | undefined>,
  ): Promise<ClaimedBatch | undefined> {
    const { id, lost } = this.presence;
    return id === undefined ? undefined : claimAs({ id, lost });
  }
}
