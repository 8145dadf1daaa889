/** What the index of people is on: a third of the bytes of one on the subject. */
const hashOf = (subject: string): string => `hashtextextended(${subject}, 0)`;

/**
 * Which deliveries are of some people.
 * @param subjects SQL of a `text[]`, such as `$1`
 */
export const ofPeople = (subjects: string): string =>
  `${hashOf('subject')} = any(array(select ${hashOf('s')} from unnest(${subjects}::text[]) as s))
    and subject = any(${subjects}::text[])`;

/** Which are of one. */
export const ofPerson = (column: string, subject: string): string =>
  `${column} = ${subject} and ${hashOf(column)} = ${hashOf(subject)}`;
