import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { CountedOutcome } from './delivery-counter';
import { TRIED_OUTCOMES } from './failing-since';
import type { SpanName } from './span-name';

/** Tries of a destination that came to the same in about the same time. */
export interface TryCount {
  readonly destinationId: string;
  readonly outcome: CountedOutcome;
  readonly latencyClass: number;
  readonly count: number;
}

const readTryCountsSql = prepared('read_try_counts')`
  select destination_id as "destinationId", outcome, latency_class as "latencyClass", sum(count)::float8 as count
  from delivery_minute
  where destination_id = any($1::uuid[]) and minute > now() - ('1 ' || $2)::interval
    and outcome in (${TRIED_OUTCOMES}, 'expired')
  group by 1, 2, 3`;

/** What was tried in the last hour or day, by destination. What does not occur has no count. */
export async function readTryCounts(
  destinationIds: readonly string[],
  span: SpanName,
  tx: Tx,
): Promise<Map<string, TryCount[]>> {
  const rows = await tx.query<TryCount>(readTryCountsSql, [destinationIds, span]);
  const counts = new Map<string, TryCount[]>();
  for (const row of rows) counts.set(row.destinationId, [...(counts.get(row.destinationId) ?? []), row]);
  return counts;
}
