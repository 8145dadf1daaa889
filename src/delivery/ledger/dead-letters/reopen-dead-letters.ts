import { destinationExists, destinationHasOrder } from '../../../destinations/destination-conditions';
import { readNextAccepted } from '../../../events/inbox/inbox-lag';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import type { RetryPolicy } from '../../retries/retry-policy';
import { type ReopenedInOrder, moveReopened } from './move-reopened';
import { LOWERED } from '../pending-from';
import type { DeadKey, DeadRange } from './read-dead-letters';
import { isOneOf, isStill } from '../found-by-id';

// In a destination with an order it is behind all that was accepted so far. Those that are reopened together keep
// theirs.
const ASKED = `d.id, d.attempts, d.subject, now() as at, ${destinationHasOrder('d.destination_id')} as in_order`;

/** @param place SQL: of what comes in now */
const orderSql = (place: string): string => `
      held_since = null, passed_at = null,
      due_at = case when l.in_order then 'infinity' else l.at end,
      place = case when l.in_order then ${place} else d.place end`;

const ORDERED_SUBJECT = `case when l.in_order then l.subject end as "orderedSubject"`;

const reopenDeadLetterSql = prepared('reopen_dead_letter')`
  with letter as (
    select ${ASKED}, d.destination_id, ${destinationExists('d.destination_id')} as wanted
    from delivery d where d.id = $1 and ${isStill('dead', 'd.state')} for update
  ), picked as (
    select id from letter where wanted
  ), ${LOWERED}, reopened as (
    update delivery d set state = 'pending', attempt_limit = d.attempts - d.probes + $2, leased_until = null,
      updated_at = l.at, ${orderSql('$3::bigint')}
    from letter l where d.id = $1 and d.id = l.id and l.wanted
  )
  select id as "deliveryId", destination_id as "destinationId", wanted, attempts, ${ORDERED_SUBJECT} from letter l`;

const reopenDeadLettersSql = prepared('reopen_dead_letters')`
  with picked as (
    select ${ASKED} from delivery d
    where state = 'dead' and destination_id = $1 and id > $2 and id < $3 and ($4::text is null or error_class = $4)
    order by id limit $5 for update skip locked
  ), ${LOWERED}
  update delivery d set state = 'pending', attempt_limit = d.attempts - d.probes + $6, leased_until = null,
    updated_at = l.at, ${orderSql('$7::bigint')}
  from picked l where d.id = l.id and ${isOneOf('picked')} and d.id >= $2 and d.id < $3
  returning d.id as "deliveryId", d.attempts, ${ORDERED_SUBJECT}`;

type NewTries = Pick<RetryPolicy, 'maxAttempts'>;
type ReopenedLetter = DeadKey & ReopenedInOrder;

/** What a replay came to; `attempts` are the tries made before it. */
type ReplayOfOne =
  | { readonly result: 'replayed'; readonly destinationId: string; readonly attempts: number }
  | { readonly result: 'not_dead' | 'destination_deleted' };

/**
 * Makes a dead delivery pending again, due at once, with its old id and as many tries as a new one has. That of a
 * destination that was deleted stays what it is: it would only be cancelled.
 * @transition dead --> pending
 */
export async function reopenDeadLetter(
  deliveryId: string,
  { maxAttempts }: NewTries,
  tx: Tx,
): Promise<ReplayOfOne> {
  const [letter] = await tx.query<ReopenedLetter & { destinationId: string; wanted: boolean }>(
    reopenDeadLetterSql,
    [deliveryId, maxAttempts, await readNextAccepted(tx)],
  );
  if (letter === undefined) return { result: 'not_dead' };
  if (!letter.wanted) return { result: 'destination_deleted' };
  await moveReopened([letter], tx);
  return { result: 'replayed', destinationId: letter.destinationId, attempts: letter.attempts };
}

/** Does the same for many, those with the lowest ids first. Returns which. */
export async function reopenDeadLetters(
  { destinationId, fromId, toId, reason, limit }: DeadRange,
  { maxAttempts }: NewTries,
  tx: Tx,
): Promise<DeadKey[]> {
  const nextAccepted = await readNextAccepted(tx);
  const values = [destinationId, fromId, toId, reason, limit, maxAttempts, nextAccepted];
  const letters = await tx.query<ReopenedLetter>(reopenDeadLettersSql, values);
  await moveReopened(letters, tx);
  return letters;
}
