import type { NewJob } from '../../platform/queues/job-dispatcher';
import type { DeadKey, DeadLetter } from '../ledger/dead-letters/read-dead-letters';
import { consoleLink } from './console-link';

/** Dead letters that the queue keeps for people to see; PostgreSQL has all of them. */
export const KEPT_DEAD_LETTERS = 1_000;
/** Events among them that are shown again where their jobs are lost: half, so that there is room for deliveries. */
export const KEPT_DEAD_EVENTS = KEPT_DEAD_LETTERS / 2;

const ID = /^dead-([0-9a-f-]{36})-(\d+)$/;

/** A delivery that dies again after a replay has more attempts: it gets another job. */
export function deadLetterJobId({ deliveryId, attempts }: DeadKey): string {
  return `dead-${deliveryId}-${attempts}`;
}

/** The delivery that a job of the queue `dead-letters` shows; undefined for an event that could not be processed. */
export function deliveryOfJob(jobId: string): string | undefined {
  return ID.exec(jobId)?.[1];
}

/**
 * The job that shows a dead letter: what happened, and where to read on.
 * @param publicUrl see {@link consoleLink}
 */
export function aDeadLetterJob(letter: DeadLetter, publicUrl?: string): NewJob<'dead-letters'> {
  const { deliveryId, destinationId, eventType, eventName, attempts, reason, errorClass, status } = letter;
  const destination = letter.destinationName ?? destinationId;
  return {
    id: deadLetterJobId(letter),
    name: `${destination}${eventName === null ? '' : `, ${eventName}`} (${eventType}: ${reason})`,
    data: {
      deliveryId,
      destinationId,
      destination,
      event: eventName ?? eventType,
      reason,
      errorClass,
      status,
      tries: attempts,
      givenUpAt: letter.givenUpAt.toISOString(),
      link: consoleLink(`destinations/${destinationId}/deliveries/${deliveryId}`, publicUrl),
    },
    options: {
      removeOnFail: { count: KEPT_DEAD_LETTERS },
      // It was retried. A delivery that is given up with no further try has a job of the same id.
      removeOnComplete: true,
      // It fails on purpose: where in our code says nothing to anybody.
      stackTraceLimit: 0,
    },
  };
}
