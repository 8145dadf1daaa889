import { Injectable } from '@nestjs/common';
import { userIdOf } from '../events/subject';
import type { Subject } from '../events/customer-event';
import { ReplicaDatabase } from '../platform/database/replica-database';

/** A member as the API knows it. */
export interface SegmentMember {
  readonly userId: string;
  readonly enteredAt: Date;
}

/** Members per statement while all of them are streamed: what is in memory at once. */
const CHUNK_MEMBERS = 5_000;

/** Users only, by user id, byte by byte. */
const readMembersSql = `
  select subject, changed_at as "enteredAt"
  from segment_page_of_members((select live_generation from segment where id = $1), $2, $3)`;

/** Reads who is in a segment, in the order of user ids. */
@Injectable()
export class SegmentMembers {
  constructor(private readonly database: ReplicaDatabase) {}

  /** The next members behind a user id (from the first one without). */
  async page(segmentId: string, limit: number, afterUserId = ''): Promise<SegmentMember[]> {
    const rows = await this.database.query<{ subject: Subject; enteredAt: Date }>(readMembersSql, [
      segmentId,
      `u:${afterUserId}`,
      limit,
    ]);
    return rows.map(({ subject, enteredAt }) => ({ userId: userIdOf(subject) ?? '', enteredAt }));
  }

  /** All members behind a user id, chunk by chunk, each as of the time it is read. */
  async *chunks(segmentId: string, afterUserId?: string): AsyncGenerator<SegmentMember[]> {
    let last = afterUserId;
    for (;;) {
      const members = await this.page(segmentId, CHUNK_MEMBERS, last);
      if (members.length > 0) yield members;
      if (members.length < CHUNK_MEMBERS) return;
      last = members.at(-1)?.userId;
    }
  }
}
