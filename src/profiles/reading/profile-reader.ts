import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { readPersonEvents } from '../../events/reading/read-person-events';
import { Database, type PreparedStatement } from '../../platform/database/database';
import { type ProfileDto } from '../dto/profile.dto';
import { ProfileEventDto } from '../dto/profile-event.dto';
import { DEFAULT_EVENTS, type ProfileQueryDto } from '../dto/profile-query.dto';
import { idsOf, type PersonIds } from '../identity/ids-of';
import { ProfileNotFoundError } from '../profile-problems';
import { ProfileSegments } from '../profile-segments';
import { factColumnsSql, factsOf, type FactsRow } from '../state/profile-row';
import { readEventCursor, writeEventCursor } from './event-cursor';

interface FoundProfile extends FactsRow {
  readonly members: Subject[];
  /** Those of them that an alias named and no event has borne. */
  readonly aliased: Subject[];
}

/** The profile that the subject $1 belongs to, with all its subjects. */
const readProfileStatement: PreparedStatement = {
  name: 'read_profile',
  text: `
    select ${factColumnsSql},
      array(select m.subject from profile as m where m.merged_into = p.subject order by m.subject) as members,
      array(select m.subject from profile as m where m.merged_into = p.subject and m.only_aliased) as aliased
    from profile as p
    where p.subject = (select coalesce(a.merged_into, a.subject) from profile as a where a.subject = $1)
      and p.event_count > 0`,
};

/** Reads single profiles. */
@Injectable()
export class ProfileReader {
  constructor(
    private readonly database: Database,
    private readonly segments: ProfileSegments,
  ) {}

  /** @throws ProfileNotFoundError, InvalidCursorError. */
  async findOne(subject: Subject, query: ProfileQueryDto): Promise<ProfileDto> {
    const { cursor, limit = DEFAULT_EVENTS, by: _by, ...filter } = query;
    const before = cursor === undefined ? undefined : readEventCursor(cursor);
    const profile = await this.find(subject);
    const subjects = [profile.subject, ...profile.members];
    const found = await readPersonEvents(subjects, { ...filter, before, limit: limit + 1 }, this.database);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const { traits, groups, eventCount, firstSeenAt, lastSeenAt } = factsOf(profile);
    const { userIds, anonymousIds } = idsOfProfile(profile);
    return {
      userId: userIds[0] ?? null,
      mergedUserIds: userIds.slice(1),
      anonymousIds,
      traits,
      groups: [...groups],
      segments: await this.segments.of(profile.subject),
      eventCount,
      firstSeenAt,
      lastSeenAt,
      events: page.map(({ id, event }) => ProfileEventDto.from(id, event)),
      nextCursor:
        last === undefined || found.length <= limit
          ? null
          : writeEventCursor({ timestamp: last.event.timestamp, id: last.id }),
    };
  }

  private async find(subject: Subject): Promise<FoundProfile> {
    const [profile] = await this.database.query<FoundProfile & Record<string, unknown>>(
      readProfileStatement,
      [subject],
    );
    if (profile === undefined) throw new ProfileNotFoundError(subject);
    return profile;
  }
}

function idsOfProfile({ subject, members, aliased }: FoundProfile): PersonIds {
  const onlyAliased = new Set(aliased);
  return idsOf([subject, ...members].map((one) => ({ subject: one, onlyAliased: onlyAliased.has(one) })));
}
