/**
 * Which deliveries are of some people, for the index on the hash of the subject.
 * @param subjects SQL of a `text[]`, such as `$1`
 */
export const ofPeople = (subjects: string): string =>
  `hashtextextended(subject, 0) = any(array(select hashtextextended(s, 0) from unnest(${subjects}::text[]) as s))
    and subject = any(${subjects}::text[])`;
