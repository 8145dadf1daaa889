import { lowestId } from '../../../events/partitions/partition-plan';
import { LONG_STATEMENT_MS, type Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import type { DeadKey, DeadRange } from './read-dead-letters';
import { isOneOf, isStill } from '../found-by-id';

const discardDeadLetterSql = prepared('discard_dead_letter')`
  update delivery set state = 'cancelled', updated_at = now()
  where id = $1 and ${isStill('dead')}
  returning id as "deliveryId", attempts, destination_id as "destinationId"`;
// Long: those of other reasons are looked at, too.
const discardPartSql = prepared('discard_dead_letters', { limitMs: LONG_STATEMENT_MS })`
  with picked as (
    select id from delivery
    where state = 'dead' and destination_id = $1 and id > $2 and updated_at <= $3::timestamptz
      and ($4::text is null or error_class = $4)
    order by id limit $5 for update skip locked
  ), discarded as (
    update delivery d set state = 'cancelled', updated_at = now() where ${isOneOf('picked')} and d.id > $2
  )
  select count(*)::int as count, max(id::text) as "lastId" from picked`;

/** A dead letter that was discarded. */
interface DiscardedLetter extends DeadKey {
  readonly destinationId: string;
}

/** Some dead letters of a destination. */
interface DeadPart extends Pick<DeadRange, 'destinationId' | 'reason' | 'limit'> {
  /** Exclusive; undefined is from the first on. */
  readonly fromId: string | undefined;
  /** What was given up later is left out. As PostgreSQL writes times. */
  readonly diedUntil: string;
}

/** How many were discarded, and which of them was made last. */
interface DiscardedPart {
  readonly count: number;
  readonly lastId: string | undefined;
}

/**
 * Discards a dead letter; undefined when there is none.
 * @transition dead --> cancelled
 */
export async function discardDeadLetter(deliveryId: string, tx: Tx): Promise<DiscardedLetter | undefined> {
  return (await tx.query<DiscardedLetter>(discardDeadLetterSql, [deliveryId]))[0];
}

/** Does the same for many, those with the lowest ids first. */
export async function discardPart(
  { destinationId, fromId = lowestId(0), diedUntil, reason, limit }: DeadPart,
  tx: Tx,
): Promise<DiscardedPart> {
  const params = [destinationId, fromId, diedUntil, reason, limit];
  const [part] = await tx.query<{ count: number; lastId: string | null }>(discardPartSql, params);
  return { count: part?.count ?? 0, lastId: part?.lastId ?? undefined };
}
