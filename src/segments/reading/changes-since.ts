import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** That a profile entered a segment, or left it. */
interface MembershipSince {
  readonly segmentId: string;
  readonly segmentName: string;
  readonly member: boolean;
  readonly changedAt: Date;
}

const changesSinceSql = prepared('segment_changes_since')`
  select s.id as "segmentId", s.name as "segmentName", m.member, m.changed_at as "changedAt"
  from segment_member m join segment s on s.live_generation = m.generation
  where m.subject = $1 and m.changed_at >= $2
  order by m.changed_at, s.id`;

/** The segments that a profile has entered or left since a time, as it stands now, oldest first. */
export function changesSince(profile: Subject, since: string, tx: Tx): Promise<MembershipSince[]> {
  return tx.query<MembershipSince>(changesSinceSql, [profile, since]);
}
