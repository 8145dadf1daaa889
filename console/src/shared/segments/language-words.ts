/** What a rule can look at, in words. */
export const FIELD_WORDS = {
  trait: 'Trait',
  event_count: 'Number of events',
  measure: 'What is in events',
  computed: 'Computed trait',
  first_seen: 'First seen',
  last_seen: 'Last seen',
  groups: 'Groups',
  group_trait: 'Trait of a group',
  segments: 'Other segments',
} as const;

/** The operators of rules and filters, in words. */
export const OPERATOR_WORDS = {
  eq: 'is',
  neq: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  not_contains: 'does not contain',
  exists: 'is there',
  not_exists: 'is not there',
  in: 'is one of',
  not_in: 'is none of',
  starts_with: 'begins with',
  ends_with: 'ends with',
} as const;

/** Of points in time one says it in another way. */
const TIME_WORDS: Readonly<Record<string, string>> = {
  gt: 'is after',
  gte: 'is not before',
  lt: 'is before',
  lte: 'is not after',
};
const TIMES: ReadonlySet<string> = new Set(['first_seen', 'last_seen']);
const AGO = /^\d+[hdw]$/;

/** An operator as it reads after a field. One that is newer than the page is shown as it is. */
export function operatorWords(field: string, operator: string): string {
  const words: Readonly<Record<string, string>> = OPERATOR_WORDS;
  return (TIMES.has(field) ? TIME_WORDS[operator] : undefined) ?? words[operator] ?? operator;
}

/** What a condition asks of a field: `is at least 100`, `is before 30d ago`. */
export function testWords(field: string, operator: string, value: unknown): string {
  const words = operatorWords(field, operator);
  if (value === undefined) return words;
  const isAgo = TIMES.has(field) && typeof value === 'string' && AGO.test(value);
  return `${words} ${isAgo ? `${value} ago` : JSON.stringify(value)}`;
}
