import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import type { Subject } from '../../events/customer-event';
import { anonymousSubject, userIdOf, userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import type { Connection, Statement } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { within } from '../../platform/database/within';
import { ProfileSummaryDto } from '../dto/profile-summary.dto';
import { DEFAULT_PROFILES, type SearchQueryDto } from '../dto/search-query.dto';
import { Profile } from '../profile.entity';
import { readListCursor, writeListCursor } from './list-cursor';
import { beginningSql, readTraitIndexes, type TraitIndex, traitIndexOf } from './trait-index';

/** A page of profiles; `cursor` leads to the next one. */
export interface ProfilePage {
  readonly profiles: ProfileSummaryDto[];
  readonly cursor: string | undefined;
}

/**
 * Profiles looked at for one page. Traits have no index, unless operators ask for one, because it makes every change of
 * traits dearer; so a search for a rare value answers short pages, each in bounded time, and goes on with the cursor.
 */
const MAX_SCANNED = 20_000;

/** After every text that begins like the one before it. */
const AFTER_ALL = '\u{10FFFF}';

/**
 * Users from $1 to before $2 and after $6 (or, where $7 is given, the profile that it belongs to): the first $3 of those
 * with the traits $4 and values $5. `lastScanned` is where the walk ended when it went as far as it may.
 * @param candidates a condition on p that the users hold, too
 */
const findProfiles = (candidates: string): string => `
    with scanned as materialized (
      (
        select p.* from profile as p
        where p.subject >= $1 and p.subject < $2 and p.subject > $6 and $7::text is null ${candidates}
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

const findProfilesSql = prepared('find_profiles')`${findProfiles('')}`;

/** The same by an index of one of the traits, whose value is $9. */
function findByTraitSql({ sql }: TraitIndex): Statement {
  return { text: findProfiles(`and ${sql} = ${beginningSql('$9::text')}`) };
}

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
    @Inject(Config) private readonly config: Config,
  ) {}

  /** @throws InvalidCursorError when the cursor is none. */
  async findPage(query: SearchQueryDto): Promise<ProfilePage> {
    const { limit = DEFAULT_PROFILES } = query;
    const params = searchParams(query, limit + 1);
    return this.replica.read(async (connection) => {
      const [found] = await this.find(query, params, connection);
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

  /** By the index of a trait, where one of them has one. */
  private async find(
    query: SearchQueryDto,
    params: unknown[],
    connection: Connection,
  ): Promise<FoundSubjects[]> {
    const { indexedTraits } = this.config.profiles;
    const wanted = pairsOf(query).find(([name]) => indexedTraits.includes(name));
    if (wanted === undefined) return connection.query(findProfilesSql, params);
    const [name, value] = wanted;
    const index = traitIndexOf(name);
    const there = await readTraitIndexes(connection.client);
    const isUsable = there.some((one) => one.name === index.name && one.isComplete);
    return isUsable
      ? connection.query(findByTraitSql(index), [...params, value])
      : connection.query(findProfilesSql, params);
  }
}

function pairsOf({ trait = [] }: SearchQueryDto): (readonly [name: string, value: string])[] {
  return trait.map((pair) => {
    const end = pair.indexOf(':');
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
}

function searchParams(query: SearchQueryDto, limit: number): unknown[] {
  const { prefix = '', cursor, anonymousId } = query;
  const pairs = pairsOf(query);
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
