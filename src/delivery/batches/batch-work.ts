import { Injectable, Logger } from '@nestjs/common';
import { JobDispatcher } from '../../platform/queues/job-dispatcher';
import { BatchRunner } from './batch-runner';
import { BATCHES_AT_ONCE } from './batch.processor';
import type { DueBatch } from './batch-store';

/** Has due batches sent: by jobs, or right here while the queue is away. */
@Injectable()
export class BatchWork {
  private readonly logger = new Logger(BatchWork.name);

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly runner: BatchRunner,
  ) {}

  async sendDue(due: readonly DueBatch[], names: ReadonlyMap<string, string>): Promise<void> {
    const dispatched = await this.dispatcher.dispatch(
      'batches',
      due.map(({ id, destinationId, eventCount, tries }) => ({
        // The number of the try makes the id new, so that no job of an earlier try is in its way.
        id: `${id}-${tries}`,
        name: `${names.get(destinationId) ?? destinationId} (${eventCount} events)`,
        data: { batchId: id },
        options: { removeOnFail: true },
      })),
    );
    if (dispatched) return;
    for (const { id } of due.slice(0, BATCHES_AT_ONCE - this.runner.load)) {
      this.runner
        .run(id)
        .catch((error: unknown) => this.logger.warn(`Batch ${id} was not sent: ${String(error)}`));
    }
  }
}
