import type { Subject } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { holdPeople } from '../../../profiles/identity/hold-people';
import { personKey } from '../../order/person-key';

// From the first to the last: of its partitions none but those that are needed are looked at.
const moveReopenedSql = prepared('move_reopened')`
  update delivery d set person = moved.into_person
  from unnest($1::uuid[], $2::bigint[]) as moved(delivery_id, into_person)
  where d.id = moved.delivery_id and d.id >= $3::uuid and d.id <= $4::uuid and d.state = 'pending'`;

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
  const subjects = reopened.flatMap(({ orderedSubject }) =>
    orderedSubject === null ? [] : [orderedSubject],
  );
  if (subjects.length === 0) return;
  const people = await holdPeople(subjects, tx);
  const moved = reopened.flatMap(({ deliveryId, orderedSubject }) => {
    const into = orderedSubject === null ? undefined : people.get(orderedSubject);
    return into === undefined ? [] : [{ deliveryId, person: personKey(into) }];
  });
  if (moved.length === 0) return;
  const ids = moved.map(({ deliveryId }) => deliveryId).toSorted();
  await tx.query(moveReopenedSql, [
    moved.map(({ deliveryId }) => deliveryId),
    moved.map(({ person }) => person),
    ids[0],
    ids.at(-1),
  ]);
}
