import type { NewJob } from '../platform/queues/job-dispatcher';

export interface DeadLetter {
  readonly deliveryId: string;
  readonly destinationId: string;
  readonly destinationName: string;
  /** Tries made so far. */
  readonly attempts: number;
  readonly eventType: string;
  readonly errorClass: string;
}

/** Dead letters that the queue keeps for people to see; PostgreSQL has all of them. */
export const KEPT_DEAD_LETTERS = 1_000;

/** The job that shows a dead letter. A delivery that dies again after a replay gets another one. */
export function aDeadLetterJob(letter: DeadLetter): NewJob<'dead-letters'> {
  const { deliveryId, destinationId, destinationName, attempts, eventType, errorClass } = letter;
  return {
    id: `dead-${deliveryId}-${attempts}`,
    name: `${destinationName} (${eventType}: ${errorClass})`,
    data: { destinationId, deliveryId },
    options: { removeOnFail: { count: KEPT_DEAD_LETTERS } },
  };
}
