import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

/** What came of the last try of a delivery. */
export interface LastAnswer {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The first KB of it. */
  readonly answer: string | null;
}

// The ids of tries are younger than that of their delivery: older partitions are left out.
const readAnswersSql = prepared('read_last_answers')`
  select d.id as "deliveryId", a.status, a.answer
  from unnest($1::uuid[]) as d(id)
  cross join lateral (
    select status, answer from delivery_attempt where delivery_id = d.id and id > d.id order by id desc limit 1
  ) a`;

/** By delivery: those that were tried. */
export async function readLastAnswers(
  deliveryIds: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, LastAnswer>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await tx.query<LastAnswer & { deliveryId: string }>(readAnswersSql, [deliveryIds]);
  return new Map(rows.map(({ deliveryId, ...last }) => [deliveryId, last]));
}
