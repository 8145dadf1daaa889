import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { anonymousSubject, userSubject } from '../../events/subject';
import type { PreparedStatement } from '../../platform/database/database';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { ProfileSummaryDto } from '../dto/profile-summary.dto';
import { DEFAULT_PROFILES, type SearchQueryDto } from '../dto/search-query.dto';
import { factColumnsSql, factsOf, type FactsRow } from '../state/profile-row';
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
 * Users from $1 to before $2 and after $6 (or, where $7 is given, the profile that it belongs to), at most $3 of those with the traits $4 and values $5. `last_scanned`
 * is where the walk ended when it went as far as it may.
 */
const searchProfilesStatement: PreparedStatement = {
  name: 'search_profiles',
  text: `
    with scanned as materialized (
      (
        select p.* from profile as p where p.subject >= $1 and p.subject < $2 and p.subject > $6 and $7::text is null
        order by p.subject limit ${MAX_SCANNED}
      )
      union all
      select p.* from profile as p
      where p.subject = (select coalesce(a.merged_into, a.subject) from profile as a where a.subject = $7)
        and ($8 or p.subject >= $1 and p.subject < $2) and p.subject > $6
    ), found as (
      select * from scanned as s
      where s.event_count > 0 and not exists (
        select from unnest($4::text[], $5::text[]) as t(key, value)
        where s.traits ->> t.key is distinct from t.value
      )
      order by s.subject limit $3
    )
    select ${factColumnsSql}, w.last_scanned
    from (select case when count(*) = ${MAX_SCANNED} then max(subject) end as last_scanned from scanned) as w
    left join found as p on true
    order by p.subject`,
};

type FoundRow = Omit<FactsRow, 'subject'> & {
  readonly subject: Subject | null;
  readonly last_scanned: string | null;
};

/** Lists profiles of known users in the order of their ids. */
@Injectable()
export class ProfileSearch {
  constructor(private readonly database: ReplicaDatabase) {}

  /** @throws InvalidCursorError when the cursor is none. */
  async findPage(query: SearchQueryDto): Promise<ProfilePage> {
    const { prefix = '', trait = [], limit = DEFAULT_PROFILES } = query;
    const pairs = trait.map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]);
    const rows = await this.database.query<FoundRow & Record<string, unknown>>(searchProfilesStatement, [
      userSubject(prefix),
      userSubject(`${prefix}${AFTER_ALL}`),
      limit + 1,
      pairs.map(([key]) => key),
      pairs.map(([, value]) => value),
      query.cursor === undefined ? '' : userSubject(readListCursor(query.cursor)),
      query.anonymousId === undefined ? null : anonymousSubject(query.anonymousId),
      query.prefix === undefined,
    ]);
    const found = rows.flatMap((row) =>
      row.subject === null ? [] : [ProfileSummaryDto.from(factsOf({ ...row, subject: row.subject }))],
    );
    const page = found.slice(0, limit);
    const next =
      found.length > limit ? (page.at(-1)?.userId ?? undefined) : rows.at(-1)?.last_scanned?.slice(2);
    return { profiles: page, cursor: next === undefined ? undefined : writeListCursor(next) };
  }
}
