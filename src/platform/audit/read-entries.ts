import type { Tx } from '../database/database';
import { lowestId } from '../database/lowest-id';
import type { AuditEntryDto } from './audit-entry.dto';
import type { AuditQueryDto } from './audit-query.dto';
import { nameInEntrySql } from './name-in-entry';

/**
 * An id has the time of an entry by the clock of the process, `at` the beginning of its transaction by PostgreSQL's.
 * They are never so far apart: the ids say where to look.
 */
const APART_MS = 24 * 60 * 60_000;

const readEntriesSql = `
  select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor,
    actor_kind as "actorKind", actor_issuer as "actorIssuer", request_id as "requestId", action, resource,
    resource_id as "resourceId", ${nameInEntrySql} as "resourceName", before, after
  from audit_entry
  where ($1::uuid is null or id < $1) and ($2::text is null or resource = $2)
    and ($3::text is null or resource_id = $3) and ($4::text is null or action = $4)
    and ($5::text is null or actor = $5)
    and ($6::timestamptz is null or at >= $6 and id >= $7::uuid)
    and ($8::timestamptz is null or at < $8 and id < $9::uuid)
  order by id desc limit $10`;

/** Entries newest first, at most `limit`. */
export function readEntries(search: AuditQueryDto, limit: number, tx: Tx): Promise<AuditEntryDto[]> {
  const { cursor, resource, resourceId, action, actor, from, to } = search;
  const range = [from, idAround(from, -APART_MS), to, idAround(to, APART_MS)];
  const filters = [cursor, resource, resourceId, action, actor, ...range].map((value) => value ?? null);
  return tx.query<AuditEntryDto>(readEntriesSql, [...filters, limit]);
}

function idAround(time: string | undefined, awayMs: number): string | undefined {
  return time === undefined ? undefined : lowestId(Date.parse(time) + awayMs);
}
