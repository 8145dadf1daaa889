import type { DeadEvent, DeadEventKey } from '../../events/inbox/dead-events';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import type { NewJob } from '../../platform/queues/job-dispatcher';
import { consoleLink } from './console-link';

const ID = /^event-([0-9a-f-]{36})-\d+$/;

/** An event that dies again after a retry has died at another time: it gets another job. */
export function deadEventJobId({ eventId, failedAtMs }: DeadEventKey): string {
  return `event-${eventId}-${failedAtMs}`;
}

/** The event that a job of the queue `dead-letters` shows; undefined for a delivery. */
export function eventOfJob(jobId: string): string | undefined {
  return ID.exec(jobId)?.[1];
}

/**
 * The job that shows an event that could not be processed.
 * @param publicUrl see {@link consoleLink}
 */
export function aDeadEventJob(event: DeadEvent, publicUrl?: string): NewJob<'dead-letters'> {
  const { eventId, reason } = event;
  return {
    id: deadEventJobId(event),
    name: `event ${eventId}: ${withoutQuotes(reason)}`,
    data: { eventId, link: consoleLink(`events/${eventId}`, publicUrl) },
    options: { removeOnFail: false },
  };
}
