import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';
import { endOfTries, type TriedDelivery } from '../end-of-tries';

/** What came of the last try of a delivery. */
export interface LastAnswer {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The first KB of it. */
  readonly answer: string | null;
}

/** Of one that was never tried. */
const NO_ANSWER: LastAnswer = { status: null, answer: null };

// The ids of tries are between that of their delivery and its end: other partitions are left out.
const readAnswersSql = prepared('read_last_answers')`
  select d.id as "deliveryId", a.status, a.answer
  from unnest($1::uuid[], $2::uuid[]) as d(id, end_id)
  cross join lateral (
    select status, answer from delivery_attempt
    where delivery_id = d.id and id > d.id and id < d.end_id order by id desc limit 1
  ) a`;

/** In the order of the deliveries. */
export async function readLastAnswers(deliveries: readonly TriedDelivery[], tx: Tx): Promise<LastAnswer[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<LastAnswer & { deliveryId: string }>(readAnswersSql, [
    deliveries.map(({ id }) => id),
    deliveries.map(endOfTries),
  ]);
  const answers = new Map(rows.map(({ deliveryId, ...last }) => [deliveryId, last]));
  return deliveries.map(({ id }) => answers.get(id) ?? NO_ANSWER);
}
