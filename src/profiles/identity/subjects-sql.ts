/**
 * A query of the subjects whose events are those of a person; `root` is an SQL expression for the subject of the
 * profile.
 */
export function subjectsOfPersonSql(root: string): string {
  return `select ${root} as subject union all select m.subject from profile as m where m.merged_into = ${root}`;
}

/** The same of several people: `roots` is an SQL expression for their subjects, a text[]; the profile is `root`. */
export function subjectsOfPeopleSql(roots: string): string {
  return `select subject as root, subject from unnest(${roots}) as asked(subject)
    union all select m.merged_into, m.subject from profile as m where m.merged_into = any(${roots})`;
}

/** The subject of the profile that a subject belongs to, an SQL expression, as `subject` is. */
export function rootOfSql(subject: string): string {
  return `coalesce((select a.merged_into from profile as a where a.subject = ${subject}), ${subject})`;
}
