/** Of a job that only shows what was done without it, see `Shortcut`. */
interface Done {
  readonly done?: true;
}

/**
 * Every job there is. Jobs carry ids, never payloads or secrets: PostgreSQL is the truth, a job only says
 * that there is something to do, and any job may be lost or run twice without harm.
 */
export type Job =
  /** Process the events of inbox rows. */
  | { readonly queue: 'events'; readonly data: { readonly inboxIds: readonly string[] } & Done }
  /** First tries of up to 100 deliveries of one destination; without ids: all of the destination that is due. */
  | {
      readonly queue: 'deliveries';
      readonly data: { readonly destinationId: string; readonly deliveryIds: readonly string[] } & Done;
    }
  /** Later tries of one delivery. */
  | {
      readonly queue: 'delivery-retries';
      readonly data: {
        readonly destinationId: string;
        readonly deliveryId: string;
        /** Those before the next one. */
        readonly tries: number;
      };
    }
  /** One try of a batch of deliveries, and of those of its destination that are due after it. */
  | {
      readonly queue: 'batches';
      readonly data: { readonly batchId: string; readonly destinationId: string };
    }
  /** A delivery that was given up, kept for people to see. */
  | {
      readonly queue: 'dead-letters';
      readonly data:
        /** What happened, without the person; `link` is where to read on. */
        | {
            readonly deliveryId: string;
            readonly destinationId: string;
            readonly destination: string;
            /** Its name, or its type where it has none. */
            readonly event: string;
            readonly reason: string;
            /** Of the last try; null when there was none. */
            readonly errorClass: string | null;
            /** HTTP status of the last try. */
            readonly status: number | null;
            readonly tries: number;
            readonly givenUpAt: string;
            readonly link: string;
          }
        /** An event that could not be processed. */
        | { readonly eventId: string; readonly link: string };
    };

export type QueueName = Job['queue'];
export type JobData<Name extends QueueName> = Extract<Job, { queue: Name }>['data'];

/** What people read of a queue in Bull Board. As an object, so that the compiler knows when one is missing. */
export const QUEUE_DESCRIPTIONS: Readonly<Record<QueueName, string>> = {
  events: 'Accepted events: into profiles, segments and deliveries',
  deliveries: 'First tries of deliveries; a backlog is all that is due of a destination',
  'delivery-retries': 'Later tries, one job a delivery; delayed until the next one',
  batches: 'Deliveries that go out many in a request or object',
  'dead-letters': 'The newest dead letters, as failed jobs: a retry replays, cleaning discards nothing',
};
export const QUEUE_NAMES = Object.keys(QUEUE_DESCRIPTIONS) as readonly QueueName[];
