import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { JobOffers } from '../../platform/queues/job-offers';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { Breakers } from '../breaker/breakers';
import { DeliveryModes } from '../delivery-modes';
import type { DueBatch } from '../ledger/batches/find-due-batches';
import { BATCHES_AT_ONCE, BatchRunner } from './batch-runner';
import { BatchClaims } from './batch-claims';

const INTERVAL_MS = 500;

/**
 * Gives jobs to batches that are due. Where the queue brings none to anybody, they are sent right here. Any number of
 * sweepers may run.
 */
@Injectable()
export class BatchSweeper extends BackgroundWork {
  private readonly offers: JobOffers<'batches'>;
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.sweep(),
    'Batches that are due could not be found',
  );

  constructor(
    private readonly modes: DeliveryModes,
    private readonly claims: BatchClaims,
    private readonly runner: BatchRunner,
    private readonly breakers: Breakers,
    dispatcher: JobDispatcher,
  ) {
    super();
    this.offers = new JobOffers(dispatcher, 'batches', runner.jobs);
  }

  private async sweep(): Promise<void> {
    const names = this.namesOfOpen();
    const due = names.size === 0 ? [] : await this.claims.findDue([...names.keys()]);
    if (due.length === 0) return this.offers.rest();
    if (!(await this.offers.offer(due.map((batch) => jobFor(batch, names))))) this.sendHere(due);
  }

  /** What is down is asked whether it is back before anything is sent again: no try is spent on it. */
  private namesOfOpen(): ReadonlyMap<string, string> {
    const destinations = this.modes.allBatched().map(({ destination }) => destination);
    const open = destinations.filter(({ id, enabled }) => enabled && !this.breakers.isOpen(id));
    return new Map(open.map(({ id, name }) => [id, name]));
  }

  private sendHere(due: readonly DueBatch[]): void {
    for (const { id, destinationId } of due.slice(0, BATCHES_AT_ONCE - this.runner.load)) {
      this.runner
        .run({ batchId: id, destinationId })
        .catch((error: unknown) => this.logger.warn(`Batch ${id} was not sent: ${String(error)}`));
    }
  }
}

function jobFor(
  { id, destinationId, eventCount, tries }: DueBatch,
  names: ReadonlyMap<string, string>,
): NewJob<'batches'> {
  return {
    // The number of the try makes the id new, so that no job of an earlier try is in its way.
    id: `${id}-${tries}`,
    name: `${names.get(destinationId) ?? destinationId} (${eventCount} events)`,
    data: { batchId: id, destinationId },
    options: { removeOnFail: true },
  };
}
