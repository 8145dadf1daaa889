import { uuidv7 } from 'uuidv7';
import { deletionNotice } from '../delivery/notices';
import { userSubject } from '../events/subject';
import type { Tx } from '../platform/database/database';

/** A delete notice belongs to no subject, so that deleting the person again does not take it back. */
const NOTICE_SUBJECT = 'g:delete';

const destinationsSql = `select id from destination where enabled and notices ? 'delete' order by id`;

const insertNoticesSql = `
  insert into delivery (id, destination_id, subject, event_timestamp, event_id, event_type, payload, due_at)
  select id, destination_id, $3, $4::timestamptz, $5::uuid, 'delete', $6::json, now()
  from unnest($1::uuid[], $2::uuid[]) as d(id, destination_id)`;

/**
 * Tells the active destinations that asked for `delete` notices, as deliveries like any other, which the sweeper
 * finds. The notice has to name the person; its text is removed once it has arrived, see `NoticeCleaner`.
 *
 * @returns how many destinations are told
 */
export async function tellDestinations(
  { userId, at }: { readonly userId: string; readonly at: string },
  tx: Tx,
): Promise<number> {
  const destinations = await tx.query<{ id: string }>(destinationsSql);
  if (destinations.length === 0) return 0;
  const notice = deletionNotice(userSubject(userId), at);
  await tx.query(insertNoticesSql, [
    destinations.map(() => uuidv7()),
    destinations.map(({ id }) => id),
    NOTICE_SUBJECT,
    at,
    notice.id,
    notice.payload,
  ]);
  return destinations.length;
}
