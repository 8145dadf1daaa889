import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { ProbeFinding } from '../breaker/probe-with';
import type { BatchedDestination } from '../delivery-modes';
import { hurryBatches } from '../ledger/batches/hurry-batches';
import { Sender } from '../sending/sender';
import { BatchRunner } from './batch-runner';

const TIMEOUT_MS = 30_000;

/** Finds out whether a destination that gets batches is back: without any of its events, or with a batch that waits. */
@Injectable()
export class BatchProbes {
  constructor(
    private readonly sender: Sender,
    private readonly runner: BatchRunner,
    private readonly database: Database,
  ) {}

  async probe(to: BatchedDestination): Promise<ProbeFinding> {
    if (to.isRequest) return this.runner.probe(to);
    const verdict = await this.sender.checkAccess(to, TIMEOUT_MS);
    return verdict instanceof Error ? 'down' : 'checked';
  }

  /** Makes its batches due. */
  async drain(destinationId: string): Promise<void> {
    await hurryBatches(destinationId, this.database);
  }
}
