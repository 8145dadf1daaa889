import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { Database, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { ProfileSegmentDto } from '../../profiles/api/dto/profile.dto';
import { ProfileSegments } from '../../profiles/profile-segments';

const readSegmentsSql = prepared('segments_of_profile')`
    select s.id, s.name from live_segment_member as m join segment as s on s.id = m.segment_id
    where m.subject = $1 order by s.name, s.id`;

/** In the order of their names. */
export function readSegmentsOfProfile(subject: Subject, tx: Tx): Promise<ProfileSegmentDto[]> {
  return tx.query<ProfileSegmentDto>(readSegmentsSql, [subject]);
}

/** The segments that a profile shows. */
@Injectable()
export class SegmentsOfProfile extends ProfileSegments {
  constructor(private readonly database: Database) {
    super();
  }

  of(subject: Subject): Promise<ProfileSegmentDto[]> {
    return readSegmentsOfProfile(subject, this.database);
  }
}
