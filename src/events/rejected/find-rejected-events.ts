import type { Tx } from '../../platform/database/database';
import type { RejectedProblem } from './keep-rejected-events';
import { type UnstoredSearch, whereUnstored } from '../unstored/unstored-search';

/** A rejected event that was kept. */
export interface KeptRejection {
  readonly id: string;
  readonly sourceId: string;
  readonly codes: string[];
  readonly paths: string[];
  /** The same with more; null of what an older release wrote down. */
  readonly problems?: RejectedProblem[] | null;
  readonly messageId: string | null;
  readonly type: string | null;
  readonly name: string | null;
  readonly library: string | null;
  readonly libraryVersion: string | null;
  readonly payload: string;
}

/** How many events were rejected in an hour for the same first problem. */
interface RejectionCount {
  readonly sourceId: string;
  readonly code: string;
  readonly path: string;
  readonly count: number;
}

/** Rejected events that were kept, newest first. There are few of each kind, so they are walked through. */
export function findRejectedEvents(search: UnstoredSearch, limit: number, tx: Tx): Promise<KeptRejection[]> {
  const { where, values } = whereUnstored(search);
  return tx.query<KeptRejection>(
    `select id, source_id as "sourceId", codes, paths, problems, message_id as "messageId", type, name, library,
       library_version as "libraryVersion", payload
     from rejected_event where ${where} order by id desc limit $${values.length + 1}`,
    [...values, limit],
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
