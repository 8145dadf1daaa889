import type { EvaluationCost } from './evaluation-cost';

/**
 * What it takes to evaluate people together, in microseconds. A sequence that one of them needs is looked for in the
 * events of all who need any.
 */
export class CostTogether {
  /** What looking for each takes for an event, by `sequenceKey`. */
  private readonly sequences = new Map<string, number>();
  /** Of the people who need sequences. */
  private events = 0;
  private withoutSequencesUs = 0;

  /** With one more person. */
  usWith({ us, sequences, eventCount }: EvaluationCost): number {
    const all = sumOf(new Map([...this.sequences, ...sequences]));
    const events = this.events + (sequences.size === 0 ? 0 : eventCount);
    return this.withoutSequencesUs + us - sumOf(sequences) * eventCount + all * events;
  }

  add({ us, sequences, eventCount }: EvaluationCost): void {
    this.withoutSequencesUs += us - sumOf(sequences) * eventCount;
    if (sequences.size > 0) this.events += eventCount;
    for (const [key, ofEvent] of sequences) this.sequences.set(key, ofEvent);
  }
}

function sumOf(sequences: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const us of sequences.values()) sum += us;
  return sum;
}
