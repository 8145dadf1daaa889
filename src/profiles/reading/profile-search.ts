import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import type { Subject } from '../../events/customer-event';
import { anonymousSubject, userIdOf, userSubject } from '../../events/subject';
import { prepared } from '../../platform/database/prepared';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { within } from '../../platform/database/within';
import { ProfileSummaryDto } from '../dto/profile-summary.dto';
import { DEFAULT_PROFILES, type SearchQueryDto } from '../dto/search-query.dto';
import { Profile } from '../profile.entity';
import { readListCursor, writeListCursor } from './list-cursor';

/** A page of profiles; `cursor` leads to the next one. */
export interface ProfilePage {
  readonly profiles: ProfileSummaryDto[];
  readonly cursor: string | undefined;
}

/**
 * Profiles looked at for one page. Traits have no index, which would make every update of a profile dearer; so a
 * search for a rare value answers short pages, each in bounded time, and goes on with the cursor.
 */
const MAX_SCANNED = 20_000;

/** After every text that begins like the one before it. */
const AFTER_ALL = '\u{10FFFF}';

/**
 * Users from $1 to before $2 and after $6 (or, where $7 is given, the profile that it belongs to): the first $3 of those
 * with the traits $4 and values $5. `lastScanned` is where the walk ended when it went as far as it may.
 */
const findProfilesSql = prepared('find_profiles')`
    with scanned as materialized (
      (
        select p.* from profile as p where p.subject >= $1 and p.subject < $2 and p.subject > $6 and $7::text is null
        order by p.subject limit ${MAX_SCANNED}
      )
      union all
      select p.* from profile as p
      where p.subject = (select coalesce(a.merged_into, a.subject) from profile as a where a.subject = $7)
        and ($8 or p.subject >= $1 and p.subject < $2) and p.subject > $6
    )
    select
      (select case when count(*) = ${MAX_SCANNED} then max(subject) end from scanned) as "lastScanned",
      array(
        select s.subject from scanned as s
        where s.event_count > 0 and not exists (
          select from unnest($4::text[], $5::text[]) as t(key, value)
          where s.traits ->> t.key is distinct from t.value
        )
        order by s.subject limit $3
      ) as subjects`;

interface FoundSubjects {
  readonly subjects: Subject[];
  readonly lastScanned: Subject | null;
}

/** Lists profiles of known users in the order of their ids. */
@Injectable()
export class ProfileSearch {
  constructor(
    @InjectRepository(Profile) private readonly profiles: Repository<Profile>,
    private readonly replica: ReplicaDatabase,
  ) {}

  /** @throws InvalidCursorError when the cursor is none. */
  async findPage(query: SearchQueryDto): Promise<ProfilePage> {
    const { limit = DEFAULT_PROFILES } = query;
    const params = searchParams(query, limit + 1);
    return this.replica.read(async (connection) => {
      const [found] = await connection.query<FoundSubjects>(findProfilesSql, params);
      const { subjects = [], lastScanned = null } = found ?? {};
      const page = subjects.slice(0, limit);
      const profiles = await within(connection, this.profiles).find({
        where: { subject: In(page), eventCount: MoreThan(0) },
        order: { subject: 'asc' },
      });
      const last = subjects.length > limit ? page.at(-1) : lastScanned;
      return {
        profiles: profiles.map((profile) => ProfileSummaryDto.from(profile)),
        cursor: last == null ? undefined : writeListCursor(userIdOf(last) ?? ''),
      };
    });
  }
}

function searchParams(query: SearchQueryDto, limit: number): unknown[] {
  const { prefix = '', trait = [], cursor, anonymousId } = query;
  const pairs = trait.map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]);
  return [
    userSubject(prefix),
    userSubject(`${prefix}${AFTER_ALL}`),
    limit,
    pairs.map(([key]) => key),
    pairs.map(([, value]) => value),
    cursor === undefined ? '' : userSubject(readListCursor(cursor)),
    anonymousId === undefined ? null : anonymousSubject(anonymousId),
    query.prefix === undefined,
  ];
}
