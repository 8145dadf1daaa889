import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const readSegmentsOfSql = prepared('segments_of_subjects')`
  select asked.subject, m.segment_id as "segmentId"
  from unnest($1::text[]) as asked(subject)
  left join profile p on p.subject = asked.subject
  join live_segment_member m
    on m.subject = coalesce(p.merged_into, asked.subject) and m.segment_id = any($2::uuid[])`;

/**
 * Which of the segments each person is in, as the transaction sees it. People who were merged are who they were
 * merged into; who is in none of the segments is left out. No statement where nobody or no segment is asked about.
 */
export async function segmentsOf(
  people: Iterable<Subject>,
  segmentIds: Iterable<string>,
  tx: Tx,
): Promise<ReadonlyMap<Subject, ReadonlySet<string>>> {
  const ids = [...segmentIds];
  if (ids.length === 0) return new Map();
  const subjects = [...new Set(people)];
  if (subjects.length === 0) return new Map();
  const rows = await tx.query<{ subject: Subject; segmentId: string }>(readSegmentsOfSql, [subjects, ids]);
  const segments = new Map<Subject, Set<string>>();
  for (const { subject, segmentId } of rows) {
    const known = segments.get(subject);
    if (known === undefined) segments.set(subject, new Set([segmentId]));
    else known.add(segmentId);
  }
  return segments;
}
