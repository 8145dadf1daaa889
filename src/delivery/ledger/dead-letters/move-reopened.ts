import type { Subject } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { shareLockPeople } from '../../../profiles/identity/share-lock-people';
import { isOfNobody } from '../../new-notices';
import { personKey } from '../../order/person-key';
import { isStillPending } from '../found-by-id';

// From the first to the last: of its partitions none but those that are needed are looked at. Those from before the
// order have no person yet.
const moveReopenedSql = prepared('move_reopened')`
  update delivery d set person = coalesce(moved.into_person, moved.own_person)
  from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as moved(delivery_id, into_person, own_person)
  where d.id = moved.delivery_id and d.id = any($1::uuid[]) and d.id >= $4::uuid and d.id <= $5::uuid and ${isStillPending('d.state')}
    and (d.person is null or moved.into_person is not null)`;

/** A delivery that this transaction has made pending again. */
export interface ReopenedInOrder {
  readonly deliveryId: string;
  /** Whose it is; null in a destination without an order. */
  readonly orderedSubject: Subject | null;
}

/**
 * Puts what was reopened into the order of those whom its people have become since it died.
 * @transition pending --> pending
 */
export async function moveReopened(reopened: readonly ReopenedInOrder[], tx: Tx): Promise<void> {
  const ordered = reopened.flatMap(({ deliveryId, orderedSubject: subject }) =>
    subject === null ? [] : [{ deliveryId, subject }],
  );
  if (ordered.length === 0) return;
  const subjects = ordered.map(({ subject }) => subject);
  const people = await shareLockPeople(subjects, tx);
  const into = subjects.map((subject) => people.get(subject));
  const ids = ordered.map(({ deliveryId }) => deliveryId);
  await tx.query(moveReopenedSql, [
    ids,
    into.map((person) => (person === undefined ? null : personKey(person))),
    ordered.map(({ deliveryId, subject }) => personKey(isOfNobody({ subject }) ? deliveryId : subject)),
    ...rangeOfIds(ids),
  ]);
}
