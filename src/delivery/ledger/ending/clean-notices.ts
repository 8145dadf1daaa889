import { LONG_STATEMENT_MS, type Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

/**
 * What receivers answered may repeat the notice. A dead notice keeps its text, since it can be replayed, until it is
 * dropped with its partition.
 */
const cleanNoticesSql = prepared('clean_notices', { limitMs: LONG_STATEMENT_MS })`
  with cleaned as (
    update delivery set payload = null
    where event_type = 'delete' and payload is not null and state in ('delivered', 'cancelled')
    returning id
  )
  update delivery_attempt set answer = null
  where delivery_id = any(array(select id from cleaned)) and answer is not null`;

/**
 * Removes the text of delete notices that have arrived or were cancelled, and what was answered to them: the last place
 * in which the service names a person who was deleted.
 * @transition delivered --> delivered
 * @transition cancelled --> cancelled
 */
export async function cleanNotices(tx: Tx): Promise<void> {
  await tx.query(cleanNoticesSql);
}
