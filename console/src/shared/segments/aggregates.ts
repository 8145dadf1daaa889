interface AggregateLanguage {
  readonly words: string;
  /** Whether it is made of values at a path in the events, or of the events themselves. */
  readonly hasPath: boolean;
  /** What it is, for operators and what they compare with. */
  readonly compared: 'number' | 'anything';
}

/** What can be made of events; the service has the same list. */
export const AGGREGATES = {
  count: { words: 'Number of events', hasPath: false, compared: 'number' },
  unique: { words: 'Number of different values', hasPath: true, compared: 'number' },
  sum: { words: 'Sum', hasPath: true, compared: 'number' },
  min: { words: 'Smallest', hasPath: true, compared: 'number' },
  max: { words: 'Largest', hasPath: true, compared: 'number' },
  avg: { words: 'Average', hasPath: true, compared: 'number' },
  first: { words: 'First value', hasPath: true, compared: 'anything' },
  last: { words: 'Last value', hasPath: true, compared: 'anything' },
  most_frequent: { words: 'Most frequent value', hasPath: true, compared: 'anything' },
} as const satisfies Readonly<Record<string, AggregateLanguage>>;

export type Aggregate = keyof typeof AGGREGATES;

export function isAggregate(text: unknown): text is Aggregate {
  return typeof text === 'string' && Object.hasOwn(AGGREGATES, text);
}

/** One that is newer than the page is called as it is. */
export function aggregateWords(aggregate: string): string {
  return isAggregate(aggregate) ? AGGREGATES[aggregate].words : aggregate;
}

/** To choose one. */
export const AGGREGATE_CHOICES = Object.entries(AGGREGATES).map(([value, { words }]) => ({
  value,
  label: words,
}));
