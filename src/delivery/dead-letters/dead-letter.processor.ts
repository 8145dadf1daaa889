import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type Job, UnrecoverableError } from 'bullmq';
import { reviveEvent } from '../../events/inbox/dead-events';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { JobData } from '../../platform/queues/job';
import { BacklogJobs } from '../backlog-jobs';
import { reopenDeadLetter } from '../ledger/dead-letters/reopen-dead-letters';

const EVENT_GONE = 'The event is not stored any more: it is older than CDP_EVENT_RETENTION_DAYS.';

/**
 * The dead-letter queue: what is dead stands there as a failed job with its reason, for people to see. Retrying
 * such a job (Bull Board has the button) replays it.
 */
@Processor('dead-letters')
export class DeadLetterProcessor extends WorkerHost {
  constructor(
    private readonly database: Database,
    private readonly backlogs: BacklogJobs,
    private readonly config: Config,
  ) {
    super();
  }

  override async process(job: Job<JobData<'dead-letters'>>): Promise<void> {
    // The first run files the letter. Each later one was asked for by an operator.
    if (job.attemptsMade === 0) throw new UnrecoverableError(reasonOf(job));
    if ('eventId' in job.data) {
      const { eventId } = job.data;
      const revival = await this.database.transaction((tx) => reviveEvent(eventId, tx));
      if (revival === 'not_stored') throw new UnrecoverableError(EVENT_GONE);
      return;
    }
    const { deliveryId } = job.data;
    const replay = await this.database.transaction((tx) =>
      reopenDeadLetter(deliveryId, this.config.delivery, tx),
    );
    if (replay.result === 'destination_deleted') throw new UnrecoverableError('The destination was deleted.');
    if (replay.result === 'replayed') await this.backlogs.tell(replay.destinationId);
  }
}

function reasonOf({ name, data }: Job<JobData<'dead-letters'>>): string {
  if ('eventId' in data) return `Dead: ${name}`;
  const { reason, status, tries } = data;
  const answer = status === null ? '' : `, status ${status}`;
  return `Dead after ${tries === 1 ? '1 try' : `${tries} tries`}: ${reason}${answer}`;
}
