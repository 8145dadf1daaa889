import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { textArray } from '../../platform/database/statements/binary-arrays';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import { Identities, type IdentityRow } from './identities';

const readIdentitiesSql = prepared('read_identities')`
    select p.subject, p.merged_into, p.only_aliased
    from unnest(${unplannedList('$1', 'text')}) as s(subject)
    cross join lateral (
      select p.subject, p.merged_into, p.only_aliased from profile as p where p.subject = s.subject limit 1
    ) as p`;

/** More than a profile may have members. The limit makes it one index lookup per profile, whatever the plan thinks. */
const NO_LIMIT = 1_000_000_000;

/** Reads the same, and all members of the profiles in $1 or of those that they belong to. */
const readFamiliesSql = prepared('read_families')`
    with asked as materialized (
      select s.subject, p.merged_into
      from unnest(${unplannedList('$1', 'text')}) as s(subject)
      left join lateral (select p.merged_into from profile as p where p.subject = s.subject limit 1) as p on true
    )
    select subject, merged_into from asked where merged_into is not null
    union
    select m.subject, m.merged_into
    from (select distinct coalesce(merged_into, subject) as root from asked) as r
    cross join lateral (
      select p.subject, p.merged_into from profile as p where p.merged_into = r.root limit ${NO_LIMIT}
    ) as m`;

/** Where the subjects are looked up; those without a row are left out. */
export async function readIdentities(subjects: readonly Subject[], tx: Tx): Promise<IdentityRow[]> {
  if (subjects.length === 0) return [];
  return tx.query<IdentityRow>(readIdentitiesSql, [textArray(subjects)]);
}

/** Which profiles the subjects belong to, and all members of those profiles. Those that `isNew` are left out. */
export async function readFamilies(
  subjects: readonly Subject[],
  tx: Tx,
  isNew: (subject: Subject) => boolean = () => false,
): Promise<Identities> {
  const asked = new Set(subjects.filter((subject) => !isNew(subject)));
  if (asked.size === 0) return new Identities();
  const rows = await tx.query<IdentityRow>(readFamiliesSql, [textArray([...asked])]);
  return new Identities(rows.filter(({ subject }) => !isNew(subject)));
}
