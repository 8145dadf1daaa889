import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { MemberFigures } from '../api/dto/segment.dto';
import { isUserSql } from '../membership/member-counts';
import type { Segment } from '../segment.entity';

/** The sum of what was counted and what has changed since; counted here only where that has not happened yet. */
const countMembersSql = `
  select s.id as "segmentId", case when kept.counted then kept.members
    else (select count(*) from segment_member m
      where m.generation = s.live_generation and m.member and ${isUserSql('m.subject')})
    end::float8 as "memberCount"
  from segment s
  left join lateral (
    select bool_or(counted) as counted, sum(members) as members from segment_member_count c
    where c.generation = s.live_generation
  ) kept on true
  where s.id = any($1::uuid[])`;

const readProgressSql = `
  select s.segment_id as "segmentId",
    1 - coalesce(sum(c.end_block - c.next_block), 0)::float8 / greatest(max(s.total_blocks), 1) as progress
  from segment_task s
  left join segment_task c
    on c.segment_id = s.segment_id and c.generation = s.generation and c.kind = 'compute'
  where s.kind = 'switch' and s.segment_id = any($1::uuid[])
  group by s.segment_id`;

/** Counts that are shown with a segment. */
@Injectable()
export class SegmentFigures {
  constructor(private readonly database: Database) {}

  /** The figures of any of these segments. */
  async of(segments: readonly Segment[]): Promise<(segment: Segment) => MemberFigures> {
    const ids = segments.map(({ id }) => id);
    const [counts, tasks] = await Promise.all([
      this.database.query<{ segmentId: string; memberCount: number }>(countMembersSql, [ids]),
      this.database.query<{ segmentId: string; progress: number }>(readProgressSql, [ids]),
    ]);
    const countOf = new Map(counts.map((row) => [row.segmentId, row.memberCount]));
    const progressOf = new Map(tasks.map((row) => [row.segmentId, row.progress]));
    return ({ id, state }) => ({
      memberCount: countOf.get(id) ?? 0,
      progress: state === 'live' ? 1 : (progressOf.get(id) ?? 0),
    });
  }
}
