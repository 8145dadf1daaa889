import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** An event in which there was a violation: by its id alone, for what the sender said would outlive an erasure here. */
export interface ViolationSample {
  /** Of an event that was stored, or is quarantined. */
  readonly eventId: string;
}

/** What may become of an event that differs from its plan. */
export type ViolationOutcome = 'accepted' | 'quarantined' | 'rejected';

/** Violations of one kind. */
export interface ViolationCount {
  readonly planId: string;
  readonly version: number;
  readonly sourceId: string;
  readonly rule: string;
  /** Without the places in arrays: `properties.products[].price`. */
  readonly path: string;
  readonly code: string;
  readonly keyword: string;
  /** By what became of the events. */
  readonly counts: Readonly<Record<ViolationOutcome, number>>;
  readonly samples: readonly ViolationSample[];
}

/** Of each kind and minute. */
export const MAX_SAMPLES = 3;
const VIOLATION_RETENTION_DAYS = 31;

// Sorted, so that two processes that count the same wait for each other but never in a circle.
const countViolationsSql = prepared('count_plan_violations')`
  with forgotten as (
    delete from plan_violation_minute where minute < now() - interval '${VIOLATION_RETENTION_DAYS} days'
  )
  insert into plan_violation_minute as v (plan_id, minute, source_id, version, rule, path, code, keyword, count,
    accepted, quarantined, rejected, samples)
  select "planId", date_trunc('minute', now()), "sourceId", version, rule, path, code, keyword,
    accepted + quarantined + rejected, accepted, quarantined, rejected, samples
  from json_to_recordset($1::json) as g("planId" uuid, "sourceId" uuid, version int, rule text, path text, code text,
    keyword text, counts json, samples jsonb),
    json_to_record(counts) as c(accepted bigint, quarantined bigint, rejected bigint)
  order by 1, 3, 4, 5, 6, 7, 8
  on conflict (plan_id, minute, source_id, version, rule, path, code, keyword) do update
  set count = v.count + excluded.count, accepted = v.accepted + excluded.accepted,
    quarantined = v.quarantined + excluded.quarantined, rejected = v.rejected + excluded.rejected,
    samples = case when jsonb_array_length(v.samples) < ${MAX_SAMPLES} then v.samples || excluded.samples else v.samples end`;

/** Adds to the counts of the present minute. */
export async function countViolations(counts: readonly ViolationCount[], tx: Tx): Promise<void> {
  await tx.query(countViolationsSql, [JSON.stringify(counts)]);
}
