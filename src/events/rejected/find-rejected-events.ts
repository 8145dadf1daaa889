import type { Tx } from '../../platform/database/database';
import { HIGHEST_ID, lowestId } from '../partitions/partition-plan';
import type { Subject } from '../customer-event';

/** Which rejected events to find. What is undefined is any. */
export interface RejectedSearch {
  readonly sourceId?: string | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly messageId?: string | undefined;
  /** All of them. */
  readonly subjects?: readonly Subject[] | undefined;
  readonly fromMs?: number | undefined;
  readonly beforeId?: string | undefined;
}

/** A rejected event that was kept. */
export interface KeptRejection extends Record<string, unknown> {
  readonly id: string;
  readonly sourceId: string;
  readonly codes: string[];
  readonly paths: string[];
  readonly messageId: string | null;
  readonly type: string | null;
  readonly name: string | null;
  readonly library: string | null;
  readonly libraryVersion: string | null;
  readonly payload: string;
}

/** How many events were rejected in an hour for the same first problem. */
export interface RejectionCount extends Record<string, unknown> {
  readonly sourceId: string;
  readonly code: string;
  readonly path: string;
  readonly count: number;
}

/** Rejected events that were kept, newest first. There are few of each kind, so they are walked through. */
export function findRejectedEvents(search: RejectedSearch, limit: number, tx: Tx): Promise<KeptRejection[]> {
  const { sourceId, code, type, name, messageId, subjects, fromMs = 0, beforeId = HIGHEST_ID } = search;
  const filter = (
    [
      ['source_id = ', sourceId],
      ['codes @> array', code],
      ['type = ', type],
      ['name = ', name],
      ['message_id = ', messageId],
      ['subjects @> ', subjects],
    ] as const
  ).filter(([, value]) => value !== undefined);
  const conditions = filter.map(([condition], index) =>
    condition.endsWith('array') ? `${condition}[$${index + 4}::text]` : `${condition}$${index + 4}`,
  );
  return tx.query<KeptRejection>(
    `select id, source_id as "sourceId", codes, paths, message_id as "messageId", type, name, library,
       library_version as "libraryVersion", payload
     from rejected_event where ${['screened', 'id >= $1', 'id < $2', ...conditions].join(' and ')} order by id desc limit $3`,
    [lowestId(fromMs), beforeId, limit, ...filter.map(([, value]) => value)],
  );
}

/** How many events were rejected in the hours of a time, by source, code and path; most first. */
export function countRejectedEvents(
  {
    sourceId,
    from,
    to,
  }: { readonly sourceId?: string | undefined; readonly from: string; readonly to: string },
  tx: Tx,
): Promise<RejectionCount[]> {
  return tx.query<RejectionCount>(
    `select source_id as "sourceId", code, path, sum(count)::float8 as count from rejected_count
     where hour >= date_trunc('hour', $1::timestamptz) and hour < $2::timestamptz and ($3::uuid is null or source_id = $3)
     group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit 1000`,
    [from, to, sourceId ?? null],
  );
}
