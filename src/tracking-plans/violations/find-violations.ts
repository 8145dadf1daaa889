import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { MAX_SAMPLES, type ViolationOutcome, type ViolationSample } from './count-violations';

/** Which violations are meant: of the minutes of a time. */
export interface ViolationsSearch {
  readonly planId: string;
  readonly sourceId?: string | undefined;
  /** ISO 8601, both. */
  readonly from: string;
  readonly to: string;
}

/** Violations of one kind in a time. */
interface FoundViolations {
  readonly sourceId: string;
  readonly rule: string;
  readonly path: string;
  readonly code: string;
  readonly keyword: string;
  readonly count: number;
  /** By what became of the events; those of older releases are in none. */
  readonly counts: Readonly<Record<ViolationOutcome, number>>;
  /** The newest version in which it was one. */
  readonly version: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of the newest minutes. */
  readonly samples: ViolationSample[];
}

const findViolationsSql = prepared('find_plan_violations')`
  select source_id as "sourceId", rule, path, code, keyword, sum(count)::float8 as count, max(version) as version,
    json_build_object('accepted', sum(accepted), 'quarantined', sum(quarantined), 'rejected', sum(rejected)) as counts,
    min(minute) as "firstAt", max(minute) as "lastAt",
    (array_agg(samples order by minute desc))[1:${MAX_SAMPLES}] as samples
  from plan_violation_minute
  where plan_id = $1 and minute >= date_trunc('minute', $2::timestamptz) and minute < $3::timestamptz
    and ($4::uuid is null or source_id = $4)
  group by 1, 2, 3, 4, 5 order by 6 desc, 1, 2, 3, 4, 5 limit $5`;

/** The kinds of violations of a plan, most first. */
export async function findViolations(
  { planId, from, to, sourceId }: ViolationsSearch,
  limit: number,
  tx: Tx,
): Promise<FoundViolations[]> {
  const rows = await tx.query<FoundViolations & { samples: ViolationSample[][] }>(findViolationsSql, [
    planId,
    from,
    to,
    sourceId ?? null,
    limit,
  ]);
  return rows.map((row) => ({ ...row, samples: row.samples.flat().slice(0, MAX_SAMPLES) }));
}

/** A source of which events differ from their plan. */
export interface ViolatingSource {
  readonly planId: string;
  readonly planName: string;
  readonly sourceId: string;
  readonly count: number;
  readonly since: Date;
  /** The kinds of which there are most. */
  readonly kinds: { rule: string; path: string; code: string; count: number }[];
}

const readViolatingSql = prepared('read_violating_sources')`
  with kinds as (
    select plan_id, source_id, rule, path, code, sum(count) as count, min(minute) as since
    from plan_violation_minute where minute > now() - make_interval(secs => $1)
    group by 1, 2, 3, 4, 5
  ), ranked as (
    select *, row_number() over (partition by plan_id, source_id order by count desc, rule, path, code) as rank
    from kinds
  )
  select k.plan_id as "planId", p.name as "planName", k.source_id as "sourceId", sum(k.count)::float8 as count,
    min(k.since) as since,
    json_agg(json_build_object('rule', k.rule, 'path', k.path, 'code', k.code, 'count', k.count) order by k.rank)
      filter (where k.rank <= 3) as kinds
  from ranked k join tracking_plan p on p.id = k.plan_id
  group by 1, 2, 3 order by 1, 3`;

/** Of which sources events have differed from their plans lately. */
export function readViolatingSources(withinSeconds: number, tx: Tx): Promise<ViolatingSource[]> {
  return tx.query<ViolatingSource>(readViolatingSql, [withinSeconds]);
}
