import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { BatchedDestination } from '../delivery-modes';
import { hurryBatches } from '../ledger/hurry-batches';
import { Sender } from '../sender';

const TIMEOUT_MS = 30_000;

/** Finds out whether a destination that gets batches is back, without any of its events. */
@Injectable()
export class BatchProbes {
  constructor(
    private readonly sender: Sender,
    private readonly database: Database,
  ) {}

  /** As `Lane.probe`. */
  async probe({ connector, destination }: BatchedDestination): Promise<'checked' | 'down'> {
    const verdict = await this.sender.checkAccess(connector, destination, TIMEOUT_MS);
    return verdict instanceof Error ? 'down' : 'checked';
  }

  /** Makes its batches due. */
  async drain(destinationId: string): Promise<void> {
    await hurryBatches(destinationId, this.database);
  }
}
