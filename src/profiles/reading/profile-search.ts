import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { anonymousSubject, userIdOf, userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import type { Connection, Statement } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { ProfileSummaryDto, type SeenProfile } from '../api/dto/profile-summary.dto';
import { DEFAULT_PROFILES, type SearchQueryDto } from '../api/dto/search-query.dto';
import { rootOfSql } from '../identity/subjects-sql';
import { readTextCursor, writeTextCursor } from '../../platform/http/resources/text-cursor';
import { beginningSql, readTraitIndexes, type TraitIndex, traitIndexOf } from './trait-index';

/** A page of profiles; `cursor` leads to the next one. */
interface ProfilePage {
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

/** Whether p has the traits $4 with the values $5. */
const HAS_TRAITS = `
    p.event_count > 0 and not exists (
      select from unnest($4::text[], $5::text[]) as t(key, value) where p.traits ->> t.key is distinct from t.value)`;

/**
 * Users from $1 to before $2 and after $6, in their order: the first $3 with the traits. `lastScanned` is where the
 * walk ended when it went as far as it may.
 * @param candidates a condition on p that the users hold, too
 */
const findProfiles = (candidates: string): string => {
  const walk = (columns: string): string => `
      select ${columns} from profile as p
      where p.subject >= $1 and p.subject < $2 and p.subject > $6 ${candidates}
      order by p.subject limit ${MAX_SCANNED}`;
  return `
    with found as (
      select array(
        select p.subject from (${walk('p.subject, p.event_count, p.traits')}) as p
        where ${HAS_TRAITS} order by p.subject limit $3
      ) as subjects
    )
    select subjects, case when cardinality(subjects) < $3 then (
      select case when count(*) = ${MAX_SCANNED} then max(p.subject) end from (${walk('p.subject')}) as p
    ) end as "lastScanned"
    from found`;
};

const findProfilesSql = prepared('find_profiles')`${findProfiles('')}`;

/** The same by an index of one of the traits, whose value is $7. */
function findByTraitSql({ sql }: TraitIndex): Statement {
  return { text: findProfiles(`and ${sql} = ${beginningSql('$7::text')}`) };
}

/** The same of the one profile that the subject $7 belongs to, which may have no user where $8. */
const findByIdSql = prepared('find_profile_by_id')`
    select array(
      select p.subject from profile as p
      where p.subject = ${rootOfSql('$7')}
        and ($8 or p.subject >= $1 and p.subject < $2) and p.subject > $6 and ${HAS_TRAITS}
      limit $3
    ) as subjects, null as "lastScanned"`;

/** What is read at a time: a profile may have some hundred KB. One is read however large it is. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The profiles $1 in their order, as far as a page may be large. */
const readPageSql = prepared('read_profile_page')`
    with sized as (
      select *, octet_length(traits::text) + octet_length(groups::text) as size
      from profile where subject = any($1::text[]) and event_count > 0
    ), placed as (
      select *, sum(size) over (order by subject) - size as before, lead(subject) over (order by subject) as next from sized
    )
    select subject, traits, groups, event_count::float8 as "eventCount", first_seen_at as "firstSeenAt",
      last_seen_at as "lastSeenAt", next is not null as more
    from placed where before < ${MAX_PAGE_BYTES} order by subject`;

type ProfileRow = SeenProfile & { readonly more: boolean };

interface FoundSubjects {
  readonly subjects: Subject[];
  readonly lastScanned: Subject | null;
}

/** Lists profiles of known users in the order of their ids. */
@Injectable()
export class ProfileSearch {
  constructor(
    private readonly replica: ReplicaDatabase,
    private readonly config: Config,
  ) {}

  /** @throws InvalidCursorError when the cursor is none. */
  async findPage(query: SearchQueryDto): Promise<ProfilePage> {
    const { limit = DEFAULT_PROFILES } = query;
    return this.replica.read(async (connection) => {
      const [found] = await this.find(query, limit + 1, connection);
      const { subjects = [], lastScanned = null } = found ?? {};
      const page = subjects.slice(0, limit);
      const profiles: ProfileRow[] = await connection.query(readPageSql, [page]);
      const end = profiles.at(-1);
      const last = end?.more === true ? end.subject : subjects.length > limit ? page.at(-1) : lastScanned;
      return {
        profiles: profiles.map((profile) => ProfileSummaryDto.from(profile)),
        cursor: last == null ? undefined : writeTextCursor(userIdOf(last) ?? ''),
      };
    });
  }

  /** By an id, by the index of a trait where one of them has one, or else by a walk. */
  private async find(query: SearchQueryDto, limit: number, connection: Connection): Promise<FoundSubjects[]> {
    const params = searchParams(query, limit);
    const { anonymousId, prefix } = query;
    if (anonymousId !== undefined) {
      const isAnyone = prefix === undefined;
      return connection.query(findByIdSql, [...params, anonymousSubject(anonymousId), isAnyone]);
    }
    const indexed = await this.findIndexed(query, connection);
    return indexed === undefined
      ? connection.query(findProfilesSql, params)
      : connection.query(findByTraitSql(indexed.index), [...params, indexed.value]);
  }

  private async findIndexed(
    query: SearchQueryDto,
    { client }: Connection,
  ): Promise<{ index: TraitIndex; value: string } | undefined> {
    const { indexedTraits } = this.config.profiles;
    const wanted = pairsOf(query).find(([name]) => indexedTraits.includes(name));
    if (wanted === undefined) return undefined;
    const [name, value] = wanted;
    const index = traitIndexOf(name);
    const there = await readTraitIndexes(client);
    return there.some((one) => one.name === index.name && one.isComplete) ? { index, value } : undefined;
  }
}

function pairsOf({ trait = [] }: SearchQueryDto): (readonly [name: string, value: string])[] {
  return trait.map((pair) => {
    const end = pair.indexOf(':');
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
}

function searchParams(query: SearchQueryDto, limit: number): unknown[] {
  const { prefix = '', cursor } = query;
  const pairs = pairsOf(query);
  return [
    userSubject(prefix),
    userSubject(`${prefix}${AFTER_ALL}`),
    limit,
    pairs.map(([key]) => key),
    pairs.map(([, value]) => value),
    cursor === undefined ? '' : userSubject(readTextCursor(cursor)),
  ];
}
