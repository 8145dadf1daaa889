import type { Subject } from '../../events/customer-event';
import { countRows } from '../../platform/database/statements/count-rows';
import type { Tx } from '../../platform/database/database';
import type { PersonSubject } from './ids-of';

/**
 * Which of the subjects an alias alone has named; of an id that is not known yet, that it is a user's. The profile's
 * own first.
 */
const subjectsSql = `
  select s.subject,
    coalesce(p.only_aliased, s.subject like 'a:%' and 'u:' || substr(s.subject, 3) = any($1::text[])) as "onlyAliased"
  from unnest($1::text[]) as s(subject) left join profile as p on p.subject = s.subject
  order by p.merged_into is not null, s.subject collate "C"`;

/** In the one order in which profiles are locked; makes the rows of workers that have not committed wait, too. */
const lockProfilesSql = `
  insert into profile (subject) select s.subject from unnest($1::text[]) as s(subject) order by s.subject collate "C"
  on conflict (subject) do update set subject = excluded.subject where false`;

/** What is known of the subjects of one person, the profile's own first. */
export function readPersonSubjects(subjects: readonly Subject[], tx: Tx): Promise<PersonSubject[]> {
  return tx.query<PersonSubject>(subjectsSql, [subjects]);
}

/** Locks the profiles of people who are erased. @returns how many rows had to be made for that */
export function lockProfilesToForget(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows(lockProfilesSql, [subjects], tx);
}

/** Deletes profiles that the transaction has locked. @returns how many rows there were */
export function forgetProfiles(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows('delete from profile where subject = any($1::text[])', [subjects], tx);
}

/** Deletes the counts per day of people whose profiles the transaction has locked. */
export function forgetDayCounts(subjects: readonly Subject[], tx: Tx): Promise<number> {
  return countRows('delete from profile_day where subject = any($1::text[])', [subjects], tx);
}

/** Whether one of the subjects has a profile. */
export async function hasProfile(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(
    'select exists (select from profile where subject = any($1::text[])) as held',
    [subjects],
  );
  return row?.held === true;
}
