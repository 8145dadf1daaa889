import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** Where an accepted event is: `failed` is one that could not be processed. */
interface ProcessingState {
  readonly state: 'waiting' | 'failed' | 'processed';
  readonly reason: string | null;
}

const processingOfSql = prepared('processing_of_event')`
    select case when d.event_id is not null then 'failed' when i.id is not null then 'waiting' else 'processed' end as state,
      d.reason
    from (select $1::uuid as id) e
    left join dead_event d on d.event_id = e.id
    left join lateral (select id from inbox where e.id = any(event_ids) limit 1) i on true`;

/** Whether an event that is stored was processed. */
export async function processingOf(eventId: string, tx: Tx): Promise<ProcessingState> {
  const [row] = await tx.query<ProcessingState>(processingOfSql, [eventId]);
  return row ?? { state: 'processed', reason: null };
}
