import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** Of one source: what nobody makes events of is not gathered without end. */
const MAX_REQUESTS = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** A request as it came, to be made events of. */
export interface NewHookRequest {
  /** By PostgreSQL's clock: its time is that of reception. */
  readonly id: string;
  readonly sourceId: string;
  readonly sentId: string | undefined;
  /** JSON: `{"headers": …, "query": …, "body": …}`. */
  readonly request: string;
}

const keepSql = prepared('keep_hook_request')`
    with kept as (
      select count(*) as requests, coalesce(sum(bytes), 0) as bytes
      from (select bytes from hook_request where source_id = $2::uuid limit ${MAX_REQUESTS}) as each
    )
    insert into hook_request (id, source_id, sent_id, request, bytes)
    select $1::uuid, $2::uuid, $3, $4, $5::int from kept
    where kept.requests < ${MAX_REQUESTS} and kept.bytes + $5::int <= ${MAX_BYTES}
    returning id`;

/** When it resolves the request is on disk; false when the source has too many already. */
export async function keepHookRequest(
  { id, sourceId, sentId, request }: NewHookRequest,
  tx: Tx,
): Promise<boolean> {
  const bytes = Buffer.byteLength(request);
  const rows = await tx.query(keepSql, [id, sourceId, sentId ?? null, request, bytes]);
  return rows.length > 0;
}
