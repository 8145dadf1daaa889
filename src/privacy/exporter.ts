import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import { userSubject } from '../events/subject';
import { Database } from '../platform/database/database';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { familyOf } from './erase-person';

const PAGE_ROWS = 500;
const FIRST_EVENT = { subject: '', timestamp: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** What is exported beside events, one row each: $1 the person's subjects. */
const PARTS = {
  identity: `
    select to_jsonb(p) - '{changed_traits,groups_changed}'::text[] as data from profile as p
    where subject = any($1::text[]) order by subject`,
  day_count: `
    select to_jsonb(d) as data from profile_day as d where subject = any($1::text[]) order by subject, day, name`,
  segment: `
    select jsonb_build_object('segmentId', s.id, 'name', s.name, 'enteredAt', m.entered_at) as data
    from live_segment_member as m join segment as s on s.id = m.segment_id
    where m.subject = any($1::text[]) order by s.id`,
  dead_event: `
    select to_jsonb(d) as data from dead_event as d where subject = any($1::text[]) order by event_id`,
  delivery: `
    select jsonb_build_object('id', d.id, 'destinationId', d.destination_id, 'eventId', d.event_id,
      'state', d.state, 'attempts', d.attempts, 'updatedAt', d.updated_at) as data
    from delivery as d where subject = any($1::text[]) order by id`,
};

const eventsSql = `
  select e.subject, to_json(e."timestamp") #>> '{}' as "timestamp", e.id, e.payload::text as payload
  from event as e
  where e.subject = any($1::text[]) and (e.subject, e."timestamp", e.id) > ($2, $3::timestamptz, $4::uuid)
  order by e.subject, e."timestamp", e.id
  limit ${PAGE_ROWS}`;

type EventRow = { subject: string; timestamp: string; id: string; payload: string };

/** Everything that is held about a person. */
@Injectable()
export class Exporter {
  constructor(private readonly database: Database) {}

  /** Finds the person. @throws ProfileNotFoundError */
  async open(userId: string): Promise<AsyncGenerator<string>> {
    const subjects = await familyOf(userSubject(userId), this.database);
    const [known] = await this.database.query(
      `select 1 from profile where subject = any($1::text[]) limit 1`,
      [subjects],
    );
    if (known === undefined) throw new ProfileNotFoundError(userId);
    return this.lines(subjects);
  }

  /** One JSON object per line, each with its `kind`. */
  private async *lines(subjects: readonly string[]): AsyncGenerator<string> {
    for (const [kind, sql] of Object.entries(PARTS)) {
      const rows = await this.database.query<{ data: JsonObject }>(sql, [subjects]);
      if (rows.length > 0) yield rows.map(({ data }) => `${JSON.stringify({ kind, ...data })}\n`).join('');
    }
    for (let last = FIRST_EVENT; ;) {
      const rows = await this.database.query<EventRow>(eventsSql, [
        subjects,
        last.subject,
        last.timestamp,
        last.id,
      ]);
      if (rows.length > 0)
        yield rows.map(({ id, payload }) => `{"kind":"event","id":"${id}","event":${payload}}\n`).join('');
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE_ROWS) return;
      last = end;
    }
  }
}
