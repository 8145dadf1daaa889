import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { MemberFigures } from './dto/segment.dto';
import type { Segment } from './segment.entity';

// 'u;' is the first text behind all that start with 'u:'.
const countMembersSql = `
  select segment_id as "segmentId", count(*)::integer as "memberCount" from live_segment_member
  where subject >= 'u:' and subject < 'u;' and ($1::uuid is null or segment_id = $1)
  group by segment_id`;

const readProgressSql = `
  select s.segment_id as "segmentId",
    1 - coalesce(sum(c.end_block - c.next_block), 0)::float8 / greatest(max(s.total_blocks), 1) as progress
  from segment_task s
  left join segment_task c
    on c.segment_id = s.segment_id and c.generation = s.generation and c.kind = 'compute'
  where s.kind = 'switch' and ($1::uuid is null or s.segment_id = $1)
  group by s.segment_id`;

/** Counts that are shown with a segment. */
@Injectable()
export class SegmentFigures {
  constructor(private readonly database: Database) {}

  async of(segment: Segment): Promise<MemberFigures> {
    return (await this.read(segment.id))(segment);
  }

  async ofAll(): Promise<(segment: Segment) => MemberFigures> {
    return this.read(null);
  }

  private async read(segmentId: string | null): Promise<(segment: Segment) => MemberFigures> {
    const [counts, tasks] = await Promise.all([
      this.database.query<{ segmentId: string; memberCount: number }>(countMembersSql, [segmentId]),
      this.database.query<{ segmentId: string; progress: number }>(readProgressSql, [segmentId]),
    ]);
    const countOf = new Map(counts.map((row) => [row.segmentId, row.memberCount]));
    const progressOf = new Map(tasks.map((row) => [row.segmentId, row.progress]));
    return ({ id, state }) => ({
      memberCount: countOf.get(id) ?? 0,
      progress: state === 'live' ? 1 : (progressOf.get(id) ?? 0),
    });
  }
}
