import { Injectable } from '@nestjs/common';
import { ReplicaDatabase } from '../../platform/database/replica-database';

export type MembersFormat = 'application/json' | 'application/x-ndjson';

/** Some members in a row, as text: elements of a JSON array with commas between them, or lines. */
interface MembersPage {
  readonly text: string;
  /** Undefined where the page is empty. */
  readonly lastUserId: string | undefined;
  readonly hasMore: boolean;
}

/** Members per statement while all of them are streamed: what is in memory at once, some 800 KB of lines. */
const CHUNK_MEMBERS = 10_000;

/**
 * PostgreSQL writes the text: a row of its own per member would be read, made an object and written again here, which
 * takes three times as long. It does not know how large a generation is, and where it guesses too low it would read and
 * sort all that is left of it for each page.
 */
const pageSqlOf = (name: string, member: string, separator: string) => ({
  name,
  text: `
    with page as (
      select substr(m.subject, 3) as user_id, m.changed_at, row_number() over () as place
      from segment s cross join lateral (
        select subject, changed_at from segment_member
        where generation = s.live_generation and member and subject > $2 and subject < 'u;'
        order by subject limit $3::integer + 1
      ) as m
      where s.id = $1
    )
    select coalesce(string_agg(${member}, ${separator}) filter (where place <= $3), '') as text,
      max(user_id collate "C") filter (where place <= $3) as "lastUserId",
      count(*) > $3 as "hasMore"
    from page`,
  sorts: false as const,
});
const readPageSqls = {
  'application/json': pageSqlOf('segment-members-json', 'to_json(user_id)::text', `','`),
  'application/x-ndjson': pageSqlOf(
    'segment-members-lines',
    `'{"userId":' || to_json(user_id) || ',"enteredAt":"'
       || to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || E'Z"}\\n'`,
    `''`,
  ),
} as const;

/** Reads who is in a segment, users only, in the order of user ids, byte by byte. */
@Injectable()
export class SegmentMembers {
  constructor(private readonly database: ReplicaDatabase) {}

  /** The next members behind a user id (from the first one without). */
  async page(
    segmentId: string,
    format: MembersFormat,
    limit: number,
    afterUserId = '',
  ): Promise<MembersPage> {
    const [row] = await this.database.query<{ text: string; lastUserId: string | null; hasMore: boolean }>(
      readPageSqls[format],
      [segmentId, `u:${afterUserId}`, limit],
    );
    return {
      text: row?.text ?? '',
      lastUserId: row?.lastUserId ?? undefined,
      hasMore: row?.hasMore ?? false,
    };
  }

  /** All members behind a user id, chunk by chunk, each as of the time it is read. */
  async *chunks(segmentId: string, format: MembersFormat, afterUserId?: string): AsyncGenerator<string> {
    let after = afterUserId;
    for (;;) {
      const { text, lastUserId, hasMore } = await this.page(segmentId, format, CHUNK_MEMBERS, after);
      if (text !== '') yield text;
      if (!hasMore) return;
      after = lastUserId;
    }
  }
}
